import { BardoError } from '@bardo/core'
import type { Store } from '@bardo/store'
import type { Hash } from 'viem'

/** Throws if the Golem is dying or dead: its key is wiped, or about to be. */
export async function requireLiving({ golems }: Pick<Store, 'golems'>, golem: Hash): Promise<void> {
  const status = (await golems.find(golem))?.status ?? 'unknown'
  if (status === 'alive' || status === 'observing') return
  throw new BardoError(`The Golem is ${status}: nothing is signed for it or sent to it.`, {
    code: 'GOLEM_DYING',
    details: [golem],
    remedy: 'Only its revocation can still be answered: bardo requests lists it.',
    docsPath: 'requests.md#kinds',
  })
}
