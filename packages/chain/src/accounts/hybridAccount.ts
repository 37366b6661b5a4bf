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
 * const account = hybridAccount(deployment, { began: { owner: owner.address }, signer: walletSigner(owner) })
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

/** The call that replaces all signers of the account. Only the account itself can make it. */
export function encodeUpdateSigners(signers: HybridSigners): Hex {
  return encodeFunctionData({ abi: hybridAbi, functionName: 'updateSigners', args: signerArguments(signers) })
}

function signerArguments({ owner = zeroAddress, p256 = [] }: HybridSigners) {
  return [owner, p256.map(({ keyId }) => keyId), p256.map(({ x }) => x), p256.map(({ y }) => y)] as const
}
