import type { OwnerSigner } from '@bardo/chain'
import { BardoError, type Delegation, hashDelegation, upgradedAccount, walletSigner } from '@bardo/core'
import { type Hash, isAddressEqual, type LocalAccount } from 'viem'
import { knownGrants } from './knownGrants.ts'

/**
 * The runways that an owner's wallet granted to a Golem, including replaced ones, and the signer that can
 * revoke them: a
 * runway is granted by the wallet, not by the account that the Golem acts for.
 *
 * @example
 * const { signer, grants } = await runwayGrants(owner, store, golem)
 * for (const delegation of grants) await revoke(signer, { delegation, cause: 'runway' })
 */
export async function runwayGrants(
  { key, signer }: { readonly key: LocalAccount; readonly signer: OwnerSigner },
  store: Parameters<typeof knownGrants>[0],
  golem: Hash,
): Promise<{ readonly signer: OwnerSigner; readonly grants: readonly Delegation[] }> {
  const runways = (await knownGrants(store, golem)).flatMap(({ of, delegation }) =>
    of === 'runway' ? [delegation] : [],
  )
  const all = [...new Map(runways.map((grant) => [hashDelegation(grant), grant])).values()]
  const grants = all.filter(({ delegator }) => isAddressEqual(delegator, key.address))
  if (grants.length === 0)
    throw new BardoError('The Golem has no runway from this wallet.', {
      code: 'STEP_OUT_OF_ORDER',
      details: [`this wallet: ${key.address}`, ...all.map(({ delegator }) => `runway from: ${delegator}`)],
      remedy: 'Use the wallet that granted the runway.',
      docsPath: 'requests.md#runway',
    })
  const account = upgradedAccount(signer.deployment, { address: key.address, signer: walletSigner(key) })
  return { signer: { ...signer, account }, grants }
}
