import { DeleGatorCore } from '@metamask/delegation-abis'
import { type Address, encodeAbiParameters, encodeFunctionData, type Hex, pad } from 'viem'

/** One call of a batch. */
export type BatchCall = { readonly target: Address; readonly value: bigint; readonly callData: Hex }

// ERC-7579: a batch in which one failing call reverts all.
const batchMode = pad('0x01', { dir: 'right', size: 32 })

/** Calldata with which a smart account, called by itself, makes several calls atomically. */
export function encodeBatch(calls: readonly BatchCall[]): Hex {
  const executions = encodeAbiParameters(
    [
      {
        type: 'tuple[]',
        components: [
          { name: 'target', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'callData', type: 'bytes' },
        ],
      },
    ],
    [calls],
  )
  return encodeFunctionData({ abi: DeleGatorCore, functionName: 'execute', args: [batchMode, executions] })
}
