import { BardoError, type Delegation, hashDelegation } from '@bardo/core'
import { type Address, type Hash, isAddressEqual } from 'viem'
import { knownGrants } from './knownGrants.ts'

/**
 * The runways that an owner's wallet granted to a Golem, including replaced ones. The wallet revokes them, not the
 * account that the Golem acts for.
 *
 * @example
 * const grants = await runwayGrants(store, golem, owner)
 */
export async function runwayGrants(
  store: Parameters<typeof knownGrants>[0],
  golem: Hash,
  wallet: Address,
): Promise<readonly Delegation[]> {
  const runways = (await knownGrants(store, golem)).flatMap(({ of, delegation }) =>
    of === 'runway' ? [delegation] : [],
  )
  const all = [...new Map(runways.map((grant) => [hashDelegation(grant), grant])).values()]
  const grants = all.filter(({ delegator }) => isAddressEqual(delegator, wallet))
  if (grants.length > 0) return grants
  throw new BardoError('The Golem has no runway from this wallet.', {
    code: 'STEP_OUT_OF_ORDER',
    details: [`this wallet: ${wallet}`, ...all.map(({ delegator }) => `runway from: ${delegator}`)],
    remedy: 'Use the wallet that granted the runway.',
    docsPath: 'requests.md#runway',
  })
}
