import { BardoError } from '@bardo/core'
import { createOwnerWallet } from '@bardo/devnet'
import { createDevnetOwner, type OwnerSeat } from '@bardo/golem'
import type { Place } from '../place/openPlace.ts'
import type { OwnerWallet } from '../place/ownerWallet.ts'

/** The owner of the local world at their wallet, for what only they can do. */
export async function ownerSeat({ chain, store }: Place, { key, desk }: OwnerWallet): Promise<OwnerSeat> {
  const { world } = chain
  if (!world)
    throw new BardoError('This needs the owner’s own wallet.', {
      code: 'UNSUPPORTED_CHAIN',
      remedy:
        'Answer it there. Off the local world the terminal says no, revokes and signs anew; it is no wallet.',
      docsPath: 'cli.md#off-the-local-world',
    })
  const wallet = createOwnerWallet({
    url: world.url,
    environment: world.framework,
    accounts: [key],
    decide: () => 'approve',
  })
  await wallet.request({ method: 'eth_requestAccounts' })
  return createDevnetOwner({ ...desk, store, owner: key, wallet, override: true })
}
