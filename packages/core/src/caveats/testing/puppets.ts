import { type Address, type Hex, keccak256 } from 'viem'
import type { Answer, ChainState, Read } from '../caveatKind.ts'
import { wordOf } from '../execution/digits.ts'

/**
 * A contract that answers what it was told to: 0xffffffff, the hash of a question, a header (length in bytes, and bit 128
 * for a revert), and words. What nobody told it about it answers with nothing, like an address without code.
 */
export const puppetCode: Hex =
  '0x5f3560e01c63ffffffff14606557365f5f37365f2080545f5b816fffffffffffffffffffffffffffffffff168110156044578060051c60010183015481526020016018565b50806fffffffffffffffffffffffffffffffff169060801c6062575ff35b5ffd5b602435600435555f5b8060440136811015608d57358160051c6001016004350155602001606e565b00'

/**
 * A contract that makes the calls of a script, each one a target, a length and calldata. Where one fails it reverts with
 * the place of that call in the script, and then with what the call reverted with.
 */
export const puppeteerCode: Hex =
  '0x5f5b36811015603857806020013580826040015f375f5f825f5f86355af115602957016040016001565b505f523d5f60203e3d6020015ffd5b00'

export type ScriptCall = { readonly to: Address; readonly data: Hex }

/** What puppets were told, as the script's calls and as the chain that an evaluation looks at. */
export type Scenery = ReadonlyMap<string, { readonly read: Read; readonly answer: Answer }>

export function sceneryOf(told: readonly (readonly [Read, Answer])[]): Scenery {
  return new Map(told.map(([read, answer]) => [keyOf(read), { read, answer }]))
}

export function tellingCalls(scenery: Scenery): readonly ScriptCall[] {
  return [...scenery.values()].map(({ read, answer }) => {
    const digits = answer.data.slice(2)
    const header = BigInt(digits.length / 2) + (answer.ok ? 0n : 1n << 128n)
    const words = digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
    return { to: read.to, data: `0xffffffff${hashOf(read.data).slice(2)}${wordOf(header)}${words}` }
  })
}

/** Cases ask the same again and again. */
const hashes = new Map<Hex, Hex>()

function hashOf(data: Hex): Hex {
  const known = hashes.get(data) ?? keccak256(data)
  hashes.set(data, known)
  return known
}

/**
 * The chain as the last scenery that knows it says.
 *
 * @param otherwise - what contracts that are no puppets say
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

export function scriptOf(calls: readonly ScriptCall[]): Hex {
  const parts = calls.map(
    ({ to, data }) => `${to.slice(2).padStart(64, '0')}${wordOf((data.length - 2) / 2)}${data.slice(2)}`,
  )
  return `0x${parts.join('')}`
}

function keyOf({ to, data }: Read): string {
  return `${to}${data}`.toLowerCase()
}
