import type { Answer, Read } from '@bardo/core'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  parseAbi,
} from 'viem'
import { malformedAnswer } from '../nodeError.ts'

/** Multicall3 has the same address on every chain that Bardo supports. */
export const multicall3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

const clockAbi = parseAbi([
  'function getCurrentBlockTimestamp() view returns (uint256)',
  'function getBlockNumber() view returns (uint256)',
])

/** The chain's own clock: on rollups, contracts see other block numbers than nodes report. */
export const clockReads: readonly [time: Read, number: Read] = [
  { to: multicall3, data: encodeFunctionData({ abi: clockAbi, functionName: 'getCurrentBlockTimestamp' }) },
  { to: multicall3, data: encodeFunctionData({ abi: clockAbi, functionName: 'getBlockNumber' }) },
]

// What common nodes accept in one request and run within one call's gas.
const maxReads = 1_000
const maxBytes = 250_000

/** Splits reads so that each part fits into one call. */
export function chunkReads(reads: readonly Read[]): readonly (readonly Read[])[] {
  const chunks: Read[][] = []
  let [room, bytes] = [0, 0]
  for (const read of reads) {
    const size = read.data.length / 2 + 160
    if (room === 0 || bytes < size) {
      chunks.push([])
      room = maxReads
      bytes = maxBytes
    }
    chunks.at(-1)?.push(read)
    room -= 1
    bytes -= size
  }
  return chunks
}

/** Many reads as one call, each of which may fail on its own. */
export function encodeAggregate(reads: readonly Read[]): Read {
  const calls = reads.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))
  return {
    to: multicall3,
    data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] }),
  }
}

/** The answers, in the order of the reads. */
export function decodeAggregate(reads: readonly Read[], data: Hex): readonly Answer[] {
  const results = decodeResults(data)
  if (results.length !== reads.length) {
    throw malformedAnswer('aggregate3', `${results.length} answers to ${reads.length} reads`)
  }
  return results.map(({ success, returnData }) => ({ ok: success, data: returnData }))
}

function decodeResults(data: Hex) {
  try {
    return decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data })
  } catch {
    throw malformedAnswer('aggregate3', `${data.slice(0, 66)}, ${(data.length - 2) / 2} bytes`)
  }
}

/** The number in an answer. */
export function wordIn(answer: Answer | undefined, what: string): bigint {
  if (!answer?.ok || answer.data.length !== 66) throw malformedAnswer(what, answer?.data ?? 'nothing')
  return BigInt(answer.data)
}
