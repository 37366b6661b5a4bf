import { devnetAccount } from '@bardo/devnet'
import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'
import type { Redemption } from './benchWorld.ts'

/** How many must sign. */
export const threshold = 2

/** Three keys, in the ascending order that the terms want. */
export const coSigners = (['owner', 'secondOwner', 'operator'] as const)
  .map((role) => devnetAccount(role))
  .sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))

/** The first two keys' consent to one redemption, as `args` carries it. */
export async function coSign(
  { delegationHash, mode, execution, nonce }: Redemption,
  chainId: number,
  addresses: { readonly thresholdEnforcer: Address; readonly delegationManager: Address },
): Promise<Hex> {
  const signatures = await Promise.all(
    coSigners.slice(0, threshold).map((key) =>
      key.signTypedData({
        domain: {
          name: 'Bardo Threshold',
          version: '1',
          chainId,
          verifyingContract: addresses.thresholdEnforcer,
        },
        types: {
          CoSignedExecution: [
            { name: 'manager', type: 'address' },
            { name: 'delegationHash', type: 'bytes32' },
            { name: 'mode', type: 'bytes32' },
            { name: 'executionHash', type: 'bytes32' },
            { name: 'nonce', type: 'uint256' },
          ],
        },
        primaryType: 'CoSignedExecution',
        message: {
          manager: addresses.delegationManager,
          delegationHash,
          mode,
          executionHash: keccak256(execution),
          nonce,
        },
      }),
    ),
  )
  const bits = 2n ** BigInt(threshold) - 1n
  return encodeAbiParameters(parseAbiParameters('uint256, uint256, bytes[]'), [nonce, bits, signatures])
}
