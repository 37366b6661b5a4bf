import type { Address } from 'viem'
import type { AccountSigner } from './accountSigner.ts'
import type { AccountContext, SmartAccount } from './smartAccount.ts'

/**
 * An EOA that runs the framework's code (EIP-7702). It is its own signer.
 *
 * @example
 * const account = upgradedAccount(deploymentOn(8453), { address: owner, signer: walletSigner(wallet) })
 */
export function upgradedAccount(
  { chainId, framework }: AccountContext,
  { address, signer }: { readonly address: Address; readonly signer: AccountSigner },
): SmartAccount {
  return { kind: 'upgraded', address, chainId, framework, factory: undefined, signer }
}
