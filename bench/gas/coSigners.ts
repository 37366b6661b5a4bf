import { devnetAccount } from '@bardo/devnet'
import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'
import type { Redemption } from './benchWorld.ts'

/** The number of required signatures. */
export const threshold = 2

/** Three keys, in the ascending order that the terms require. */
export const coSigners = (['owner', 'secondOwner', 'operator'] as const)
  .map((role) => devnetAccount(role))
  .sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))

/** The signatures of the first two keys for one redemption, as `args`. */
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
          version: '2',
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
            { name: 'signer', type: 'address' },
          ],
        },
        primaryType: 'CoSignedExecution',
        message: {
          manager: addresses.delegationManager,
          delegationHash,
          mode,
          executionHash: keccak256(execution),
          nonce,
          signer: key.address,
        },
      }),
    ),
  )
  const bits = 2n ** BigInt(threshold) - 1n
  return encodeAbiParameters(parseAbiParameters('uint256, uint256, bytes[]'), [nonce, bits, signatures])
}
