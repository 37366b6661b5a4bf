import { type Address, encodeAbiParameters, encodePacked, type Hex, zeroHash } from 'viem'
import type { Execution } from '../caveats/caveatKind.ts'
import { BardoError } from '../errors/BardoError.ts'

/** One call by the root's account. */
export type Call = { readonly to: Address; readonly value?: bigint; readonly data?: Hex }

const batchMode: Hex = `0x01${'00'.repeat(31)}`
const batchType = {
  type: 'tuple[]',
  components: [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }],
} as const

/**
 * Calls as one atomic execution. One call is a single execution, several are a batch.
 *
 * @example
 * const { mode, calldata } = encodeExecution([{ to: vault, data: withdraw }])
 */
export function encodeExecution(calls: readonly Call[]): Execution {
  const [first] = calls
  if (!first) throw new BardoError('An execution needs at least one call.', { code: 'INVALID_INPUT' })
  const tuples = calls.map(({ to, value = 0n, data = '0x' }) => [to, value, data] as const)
  if (calls.length > 1) return { mode: batchMode, calldata: encodeAbiParameters([batchType], [tuples]) }
  const { to, value = 0n, data = '0x' } = first
  return { mode: zeroHash, calldata: encodePacked(['address', 'uint256', 'bytes'], [to, value, data]) }
}
