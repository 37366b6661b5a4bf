import type { Address, LocalAccount } from 'viem'
import type { Delegation } from '../delegation.ts'

/** The delegation with a plain key's signature, as a wallet makes it. */
export async function signDelegation(
  account: LocalAccount,
  delegation: Delegation,
  { chainId, manager }: { readonly chainId: number; readonly manager: Address },
): Promise<Delegation> {
  const signature = await account.signTypedData({
    domain: { name: 'DelegationManager', version: '1', chainId, verifyingContract: manager },
    types: {
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
    },
    primaryType: 'Delegation',
    message: delegation,
  })
  return { ...delegation, signature }
}
