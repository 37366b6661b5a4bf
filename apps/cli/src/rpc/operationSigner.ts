import type { OperationSigner } from '@bardo/operations'
import { localOwnerWallet } from '../context/localOwnerWallet.ts'
import type { Context } from '../context/openContext.ts'
import type { OwnerWallet } from '../context/ownerWallet.ts'

/**
 * The signer of an owner's key. On the local chain it also has a wallet that grants runways; on a real network the owner's
 * own wallet does that.
 */
export async function operationSigner(
  { chain: { world } }: Pick<Context, 'chain'>,
  { key, signer }: OwnerWallet,
): Promise<OperationSigner> {
  if (!world) return signer
  const wallet = localOwnerWallet(world, key)
  await wallet.request({ method: 'eth_requestAccounts' })
  return { ...signer, wallet }
}
