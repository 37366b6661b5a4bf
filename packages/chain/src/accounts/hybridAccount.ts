import { encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { hybridAbi } from './abi.ts'
import type { AccountSigner, HybridSigners } from './accountSigner.ts'
import { createdAccount } from './createdAccount.ts'
import { type AccountPlace, firstSalt, type SmartAccount } from './smartAccount.ts'

/**
 * A Hybrid smart account: the owner's default account, the cage account, and the session account. Its address follows
 * from the signers it began with and stays when they are swapped.
 *
 * @example
 * const account = hybridAccount(deployment, { began: { owner: owner.address }, signer: walletSigner(owner) })
 */
export function hybridAccount(
  place: AccountPlace,
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

/** The call that makes these the account's only signers. Only the account itself may make it. */
export function encodeUpdateSigners(signers: HybridSigners): Hex {
  return encodeFunctionData({ abi: hybridAbi, functionName: 'updateSigners', args: signerArguments(signers) })
}

function signerArguments({ owner = zeroAddress, p256 = [] }: HybridSigners) {
  return [owner, p256.map(({ keyId }) => keyId), p256.map(({ x }) => x), p256.map(({ y }) => y)] as const
}
