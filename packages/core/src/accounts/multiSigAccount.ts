import { type Address, encodeFunctionData, type Hex } from 'viem'
import { multiSigAbi } from './abi.ts'
import type { AccountSigner } from './accountSigner.ts'
import { createdAccount } from './createdAccount.ts'
import { type AccountContext, firstSalt, type SmartAccount } from './smartAccount.ts'

/**
 * A MultiSig smart account: k of n keys sign for it.
 *
 * @example
 * const account = multiSigAccount(deploymentOn(8453), { members, threshold: 2, signer: councilSigner(present) })
 */
export function multiSigAccount(
  place: AccountContext,
  {
    members,
    threshold,
    signer,
    salt = firstSalt,
  }: {
    readonly members: readonly Address[]
    readonly threshold: number
    readonly signer: AccountSigner
    readonly salt?: Hex
  },
): SmartAccount {
  const { chainId, framework } = place
  const initialize = encodeFunctionData({
    abi: multiSigAbi,
    functionName: 'initialize',
    args: [members, BigInt(threshold)],
  })
  return {
    kind: 'multisig',
    chainId,
    framework,
    signer,
    ...createdAccount(place, 'MultiSigDeleGatorImpl', initialize, salt),
  }
}
