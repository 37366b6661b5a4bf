import { createOwnerResponder, type OwnerResponder } from '@bardo/golem'
import { localOwnerWallet } from '../context/localOwnerWallet.ts'
import type { Context } from '../context/openContext.ts'
import { localGas, type OwnerWallet } from '../context/ownerWallet.ts'

/**
 * An owner responder with the given key. On the local chain it also has a wallet that grants runways; on a real network the
 * owner's own wallet does that.
 *
 * @param override - whether a runway above the default limits is explicitly confirmed
 */
export async function ownerResponderFor(
  { chain: { world, book }, store }: Context,
  { key, signer }: OwnerWallet,
  override = false,
): Promise<OwnerResponder> {
  const responder = { ...signer, store, book, owner: key, override }
  if (!world) return createOwnerResponder(responder)
  const wallet = localOwnerWallet(world, key)
  await wallet.request({ method: 'eth_requestAccounts' })
  return createOwnerResponder({ ...responder, wallet, leastGas: localGas })
}
