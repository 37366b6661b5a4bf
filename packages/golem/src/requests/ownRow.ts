import { decodeVitals, type OwnerSigner, type Vitals } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import { BardoError } from '@bardo/core'
import type { Store } from '@bardo/store'
import { type Address, type Hash, zeroHash } from 'viem'

/** A Golem's row on the chain, and its first key, which its id is derived from. */
export type OwnRow = Vitals & { readonly firstKey: Address }

/**
 * Reads a Golem's row on the chain and checks that it is this owner's and alive. A Golem's id is a hash of
 * its owner and its
 * first key, so a forged row of the store cannot name another owner's Golem, or another key.
 */
export async function ownRow(
  { client, deployment, key: owner }: Pick<OwnerSigner, 'client' | 'deployment' | 'key'>,
  { sessionKeys }: Pick<Store, 'sessionKeys'>,
  golem: Hash,
): Promise<OwnRow> {
  const contract = { address: deployment.contracts.golemVitals, abi: golemVitals.abi }
  const [word, keys] = await Promise.all([
    client.readContract({ ...contract, functionName: 'vitalsOf', args: [golem] }),
    sessionKeys.list(golem),
  ])
  const vitals = decodeVitals(word)
  if (vitals.state !== 'alive') throw notOwn([`${golem} is ${vitals.state} on the chain`])
  for (const { address: firstKey } of keys) {
    const args = [owner, firstKey, zeroHash] as const
    const id = await client.readContract({ ...contract, functionName: 'golemId', args })
    if (id === golem) return { ...vitals, firstKey }
  }
  throw notOwn([`${golem} is not a Golem of ${owner}`])
}

function notOwn(details: readonly string[]): BardoError {
  return new BardoError('The chain does not confirm that this Golem is yours and alive.', {
    code: 'ACTION_NOT_ALLOWED',
    details,
    remedy: 'Refuse the request.',
    docsPath: 'requests.md#what-an-owners-key-signs',
  })
}
