import { createOwnerSeat, type OwnerSeat } from '@bardo/golem'
import { localOwnerWallet } from '../place/localOwnerWallet.ts'
import type { Place } from '../place/openPlace.ts'
import type { OwnerWallet } from '../place/ownerWallet.ts'

/**
 * An owner whose key is here, for what only they can do. On the local world they have a wallet that grants runways, too;
 * elsewhere that is a wallet's of their own.
 *
 * @param override - whether they expressly want a runway beyond the guard
 */
export async function ownerSeat(
  { chain: { world }, store }: Place,
  { key, desk }: OwnerWallet,
  override = false,
): Promise<OwnerSeat> {
  const seat = { ...desk, store, owner: key, override }
  if (!world) return createOwnerSeat(seat)
  const wallet = localOwnerWallet(world, key)
  await wallet.request({ method: 'eth_requestAccounts' })
  return createOwnerSeat({ ...seat, wallet })
}
