import { encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { hybridAbi } from './abi.ts'
import type { AccountSigner, HybridSigners } from './accountSigner.ts'
import { createdAccount } from './createdAccount.ts'
import { type AccountContext, firstSalt, type SmartAccount } from './smartAccount.ts'

/**
 * A Hybrid smart account: the owner's default account, the Cage account, and the session account. Its address
 * follows from its first signers and stays the same when they change.
 *
 * @example
 * const wallet = { signTypedData: async () => '0x' }
 * const began = { owner: '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1' }
 * const { address } = hybridAccount(deploymentOn(8453), { began, signer: walletSigner(wallet) })
 * address // '0x1fdDfDC25344f65aBaA4c3C24CF5f08e7b81B57a'
 */
export function hybridAccount(
  place: AccountContext,
  {
    began,
    signer,
    salt = firstSalt,
  }: { readonly began: HybridSigners; readonly signer: AccountSigner; readonly salt?: Hex },
): SmartAccount {
  const { chainId, framework } = place
  const initialize = encodeFunctionData({
    abi: hybridAbi,
    functionName: 'initialize',
    args: signerArguments(began),
  })
  return {
    kind: 'hybrid',
    chainId,
    framework,
    signer,
    ...createdAccount(place, 'HybridDeleGatorImpl', initialize, salt),
  }
}

/**
 * The call that replaces all signers of the account. Only the account itself can make it.
 *
 * @example
 * const call = { to: account.address, data: encodeUpdateSigners(signersOf(nextKey)) }
 */
export function encodeUpdateSigners(signers: HybridSigners): Hex {
  return encodeFunctionData({ abi: hybridAbi, functionName: 'updateSigners', args: signerArguments(signers) })
}

function signerArguments({ owner = zeroAddress, p256 = [] }: HybridSigners) {
  return [owner, p256.map(({ keyId }) => keyId), p256.map(({ x }) => x), p256.map(({ y }) => y)] as const
}
