import { defaultSettings, isDisabled } from '@bardo/chain'
import { decodeContext, hashDelegation, type RevocationEvidence } from '@bardo/core'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import type { Snapshot } from '../snapshot/readSnapshot.ts'
import { readFamily } from '../state/storedFamily.ts'
import { isRegranting } from './rootExchange.ts'

type Context = Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'settings'>

/**
 * Collects the evidence for a disabled link. Reads the chain first and the store after it: a feed stores the new
 * root before it removes its entry, so for a root that the chain shows as disabled the store has one of the two.
 */
export async function readRevocation(
  golemContext: Context,
  permission: SignedPermission,
  { revoked: seen, block }: Pick<Snapshot, 'revoked' | 'block'>,
): Promise<RevocationEvidence> {
  if (!seen) return { seen, final: false, hasSuccessor: false, isReplacing: false }
  const final = await wasDisabledAt(golemContext, permission, await finalBlock(golemContext, block))
  const [hasSuccessor, isReplacing] = await Promise.all([
    hasOtherRoot(golemContext, permission),
    isRegranting(golemContext.store, golemContext.id),
  ])
  return { seen, final, hasSuccessor, isReplacing }
}

/**
 * Whether the root has a successor, stored or under way. The owner adopts another constitution between the two: the
 * Golem does not end by it. A Replicant has its parent's root.
 */
export async function hasSuccessor(
  golemContext: Pick<Context, 'id' | 'store'>,
  permission: SignedPermission,
): Promise<boolean> {
  const { id, store } = golemContext
  const { birth } = await readFamily(store, id)
  const whose = { id: birth?.parent ?? id, store }
  return (await isRegranting(store, whose.id)) || (await hasOtherRoot(whose, permission))
}

/** The newest final block, given the newest block; undefined if there is none yet. */
async function finalBlock({ client, settings }: Context, newest: bigint): Promise<bigint | undefined> {
  const finality = settings.submitter?.finality ?? defaultSettings.finality
  if (finality === 'finalized') return (await client.getBlock({ blockTag: 'finalized' })).number
  const block = newest + 1n - BigInt(finality)
  return block >= 0n ? block : undefined
}

async function wasDisabledAt(
  golemContext: Context,
  { links }: SignedPermission,
  blockNumber: bigint | undefined,
): Promise<boolean> {
  if (blockNumber === undefined) return false
  const disabled = await Promise.all(links.map((link) => isDisabled(golemContext, link, blockNumber)))
  return disabled.includes(true)
}

async function hasOtherRoot(
  { id, store }: Pick<Context, 'id' | 'store'>,
  { links }: SignedPermission,
): Promise<boolean> {
  const currentRoot = hashDelegation(links.at(-1) ?? links[0])
  const records = await store.delegations.list(id)
  return records.some(({ state, context }) => {
    const root = state === 'active' ? decodeContext(context).at(-1) : undefined
    return root !== undefined && hashDelegation(root) !== currentRoot
  })
}
