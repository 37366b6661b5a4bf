import { decodeVitals } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import type { Hash } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import { isEnded } from '../requests/isEnded.ts'
import { findCage } from './giveDelegation.ts'
import { readShared, type SharedDelegation } from './storedDelegations.ts'

/**
 * The delegations of one side that the chain still accepts: not expired, no link disabled, and the Golem that gave
 * it alive. The rows alone do not show it: a new root of the giver ends a delegation in another data folder too.
 */
export async function activeShared(
  { store, client, deployment }: Pick<GolemParts, 'store' | 'client' | 'deployment'>,
  golem: Hash,
  side: 'given' | 'received',
): Promise<readonly SharedDelegation[]> {
  const shared = (await readShared(store, golem, side)).filter((one) => !one.isEnded)
  if (shared.length === 0) return []
  const { timestamp } = await client.getBlock()
  const active = await Promise.all(shared.map(async (one) => timestamp <= one.endsAt && isUsable(one)))
  return shared.filter((_, place) => active[place])

  async function isUsable({ links }: SharedDelegation): Promise<boolean> {
    const golemAbove = findCage(links, deployment)?.terms.golem
    // Without a Cage it is not a delegation that a Golem gave.
    if (golemAbove === undefined) return false
    const row = await client.readContract({
      address: deployment.contracts.golemVitals,
      abi: golemVitals.abi,
      functionName: 'vitalsOf',
      args: [golemAbove],
    })
    return decodeVitals(row).state === 'alive' && !(await isEnded({ client, deployment }, links[0], links))
  }
}
