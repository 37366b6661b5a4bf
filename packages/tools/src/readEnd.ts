import { readDelegationTree } from '@bardo/chain'
import type { DeathTrigger } from '@bardo/core'
import type { SignedPermission } from '@bardo/golem/permission'
import { isRegranting } from '@bardo/golem/requests'
import type { Snapshot } from '@bardo/golem/snapshot'
import { readStoredDeath } from '@bardo/golem/state'
import { zeroHash } from 'viem'
import type { ToolContext } from './toolContext.ts'

/** Why a life ended, and when in Unix seconds; null if neither the store nor recent blocks tell when. */
export type End = { readonly because: DeathTrigger; readonly at: number | null }

/** The number of recent blocks to search for a revocation: about a day at two seconds per block. */
const recentBlocks = 50_000n

/**
 * Reads the end of a Golem: its stored death, or a revocation on the chain that its next tick will find. Null
 * if it has
 * not ended.
 *
 * @param seen - the chain's state; undefined while the chain cannot be reached
 */
export async function readEnd(
  { store, client, deployment }: Pick<ToolContext, 'store' | 'client' | 'deployment'>,
  { golem: { id }, links }: SignedPermission,
  seen: Pick<Snapshot, 'revoked' | 'block'> | undefined,
): Promise<End | null> {
  const death = readStoredDeath((await store.golemStates.find(id))?.death)
  if (death) return { because: death.trigger, at: death.begunAt }
  if (!seen?.revoked || (await isRegranting(store, id))) return null
  const since = seen.block > recentBlocks ? seen.block - recentBlocks : 0n
  const { facts } = await readDelegationTree(client, deployment, links, since)
  const [first] = [...facts.disabled.values()].filter(({ transaction }) => transaction !== zeroHash)
  return { because: 'ownerRevocation', at: first ? Number(first.at) : null }
}
