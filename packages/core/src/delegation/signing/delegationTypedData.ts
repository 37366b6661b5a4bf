import type { Address } from 'viem'
import type { Delegation } from '../delegation.ts'

/** The structs as EIP-712 types. `args` and `signature` are not signed. */
export const delegationTypes = {
  Delegation: [
    { name: 'delegate', type: 'address' },
    { name: 'delegator', type: 'address' },
    { name: 'authority', type: 'bytes32' },
    { name: 'caveats', type: 'Caveat[]' },
    { name: 'salt', type: 'uint256' },
  ],
  Caveat: [
    { name: 'enforcer', type: 'address' },
    { name: 'terms', type: 'bytes' },
  ],
} as const

/** The EIP-712 domain of a manager. */
export function delegationDomain(chainId: number, manager: Address) {
  return { name: 'DelegationManager', version: '1', chainId, verifyingContract: manager } as const
}

/**
 * The typed data that a delegator signs: any wallet accepts it, and the manager verifies exactly this.
 *
 * @example
 * const signature = await owner.signTypedData(delegationTypedData(8453, manager, delegation))
 */
export function delegationTypedData(
  chainId: number,
  manager: Address,
  { delegate, delegator, authority, caveats, salt }: Omit<Delegation, 'signature'>,
) {
  return {
    domain: delegationDomain(chainId, manager),
    types: delegationTypes,
    primaryType: 'Delegation',
    message: {
      delegate,
      delegator,
      authority,
      caveats: caveats.map(({ enforcer, terms }) => ({ enforcer, terms })),
      salt,
    },
  } as const
}
