import { BardoError } from '@bardo/core'
import type { Store } from '@bardo/store'
import { activeKey } from '@bardo/wallets'
import type { Address, Hash } from 'viem'

/** The active session key. Throws for a suspected or lost key: a thief may have it. */
export async function requireKey(
  store: Pick<Store, 'rotations' | 'sessionKeys'>,
  golem: Hash,
): Promise<Address> {
  const [key, rotation] = await Promise.all([activeKey(store, golem), store.rotations.underWay(golem)])
  if (key && rotation?.kind !== 'suspected') return key.address
  throw new BardoError('The session key is suspected or lost: nothing is granted or sent to it.', {
    code: 'STEP_OUT_OF_ORDER',
    details: [`Golem ${golem}`],
    remedy: 'Answer the request for the new key first: bardo requests',
    docsPath: 'requests.md#runway',
  })
}
