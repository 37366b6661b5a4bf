import type { Call } from '@bardo/core'
import { DeleGatorCore } from '@metamask/delegation-abis'
import { encodeAbiParameters, encodeFunctionData, type Hex, pad } from 'viem'

// ERC-7579: a batch in which one failing call reverts all.
const batchMode = pad('0x01', { dir: 'right', size: 32 })

/** Calldata with which a smart account, called by itself, makes several calls atomically. */
export function encodeBatch(calls: readonly Call[]): Hex {
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
    [calls.map(({ to, value = 0n, data = '0x' }) => ({ target: to, value, callData: data }))],
  )
  return encodeFunctionData({ abi: DeleGatorCore, functionName: 'execute', args: [batchMode, executions] })
}
