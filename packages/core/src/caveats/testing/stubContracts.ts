import { type Hex, keccak256 } from 'viem'
import type { Call } from '../../redemption/encodeExecution.ts'
import type { Answer, ChainState, Read } from '../caveatKind.ts'
import { wordOf } from '../execution/digits.ts'

/**
 * A contract with given answers: 0xffffffff, the hash of a call, a header (length in bytes, and bit 128 for a
 * revert), and words. It answers other calls with nothing, like an address without code.
 */
export const stubCode: Hex =
  '0x5f3560e01c63ffffffff14606557365f5f37365f2080545f5b816fffffffffffffffffffffffffffffffff168110156044578060051c60010183015481526020016018565b50806fffffffffffffffffffffffffffffffff169060801c6062575ff35b5ffd5b602435600435555f5b8060440136811015608d57358160051c6001016004350155602001606e565b00'

/**
 * A contract that runs a script of calls, each a target, a length and calldata. If one fails, it reverts with
 * the index of that call, followed by the call's revert data.
 */
export const stubCallerCode: Hex =
  '0x5f5b36811015603857806020013580826040015f375f5f825f5f86355af115602957016040016001565b505f523d5f60203e3d6020015ffd5b00'

/** The stubs' answers, as script calls and as the chain state of an evaluation. */
export type Scenery = ReadonlyMap<string, { readonly read: Read; readonly answer: Answer }>

export function sceneryOf(answers: readonly (readonly [Read, Answer])[]): Scenery {
  return new Map(answers.map(([read, answer]) => [keyOf(read), { read, answer }]))
}

export function tellingCalls(scenery: Scenery): readonly Call[] {
  return [...scenery.values()].map(({ read, answer }) => {
    const digits = answer.data.slice(2)
    const header = BigInt(digits.length / 2) + (answer.ok ? 0n : 1n << 128n)
    const words = digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
    return { to: read.to, data: `0xffffffff${hashOf(read.data).slice(2)}${wordOf(header)}${words}` }
  })
}

/** Cases repeat the same reads. */
const hashes = new Map<Hex, Hex>()

function hashOf(data: Hex): Hex {
  const known = hashes.get(data) ?? keccak256(data)
  hashes.set(data, known)
  return known
}

/**
 * The chain state from the last scenery that has the answer.
 *
 * @param otherwise - the answers of contracts that are not stubs
 */
export function chainOf(
  timestamp: bigint,
  otherwise: (read: Read) => Answer | undefined,
  ...sceneries: readonly Scenery[]
): ChainState {
  const silence: Answer = { ok: true, data: '0x' }
  return {
    timestamp,
    blockNumber: 1n,
    answer: (read) => {
      const scenery = sceneries.findLast((known) => known.has(keyOf(read)))
      return scenery?.get(keyOf(read))?.answer ?? otherwise(read) ?? silence
    },
  }
}

export function scriptOf(calls: readonly Call[]): Hex {
  const parts = calls.map(
    ({ to, data = '0x' }) =>
      `${to.slice(2).padStart(64, '0')}${wordOf((data.length - 2) / 2)}${data.slice(2)}`,
  )
  return `0x${parts.join('')}`
}

function keyOf({ to, data }: Read): string {
  return `${to}${data}`.toLowerCase()
}
