import { type Delegation, delegationTypedData } from '@bardo/core'
import { type Address, type Hex, zeroHash } from 'viem'
import type { Framework } from '../deployments/framework.ts'
import type { AccountSigner } from './accountSigner.ts'

/** An account of the framework, and who signs for it now. */
export type SmartAccount = {
  readonly kind: 'hybrid' | 'multisig' | 'upgraded'
  readonly address: Address
  readonly chainId: number
  readonly framework: Framework
  /** The call with which anybody deploys it; an upgraded EOA has none. */
  readonly factory: { readonly to: Address; readonly data: Hex } | undefined
  readonly signer: AccountSigner
}

/** A smart account by where it stands: what an account is made of. */
export type AccountPlace = { readonly chainId: number; readonly framework: Framework }

/** Signs a delegation for the account that delegates. */
export async function signDelegation(
  { address, chainId, framework, signer }: SmartAccount,
  delegation: Omit<Delegation, 'delegator' | 'signature'>,
): Promise<Delegation> {
  const unsigned = { ...delegation, delegator: address }
  const signature = await signer.signTypedData(
    delegationTypedData(chainId, framework.DelegationManager, unsigned),
  )
  return { ...unsigned, signature }
}

/** The salt of an account that is the first of its signers. */
export const firstSalt: Hex = zeroHash
