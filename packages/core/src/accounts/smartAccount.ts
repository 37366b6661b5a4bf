import { type Address, type Hex, zeroHash } from 'viem'
import type { Delegation } from '../delegation/delegation.ts'
import { delegationTypedData } from '../delegation/signing/delegationTypedData.ts'
import type { Framework } from '../deployments/framework.ts'
import type { AccountSigner } from './accountSigner.ts'

/** An account of the framework, with its current signer. */
export type SmartAccount = {
  readonly kind: 'hybrid' | 'multisig' | 'upgraded'
  readonly address: Address
  readonly chainId: number
  readonly framework: Framework
  /** The call that deploys it, which anyone can make. Undefined for an upgraded EOA. */
  readonly factory: { readonly to: Address; readonly data: Hex } | undefined
  readonly signer: AccountSigner
}

/** The chain and the framework that an account belongs to. */
export type AccountContext = { readonly chainId: number; readonly framework: Framework }

/**
 * Signs a delegation as the delegator.
 *
 * @example
 * const root = await signDelegation(account, { delegate: golem, authority: rootAuthority, caveats, salt: 0n })
 */
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

/** The default salt. */
export const firstSalt: Hex = zeroHash
