import type { Address, Hex } from 'viem'
import { demandWellFormed, Revert, size } from './bytes.ts'

/** A call of a batch. The target is checked late: Solidity refuses a dirty address only when it is used. */
export type BatchedCall = { target(): Address; readonly value: bigint; readonly callData: Hex }

const limit = 1n << 64n

/**
 * Reads `abi.encode(Execution[])` with the checks of the library that the enforcers were built with.
 *
 * Every offset must be below 2^64 and inside these bytes. Offsets may overlap; trailing bytes are ignored.
 */
export function decodeBatch(bytes: Hex): readonly BatchedCall[] {
  const last = BigInt(size(bytes)) - 32n
  const start = load(bytes, 0n)
  demandInside(start < limit && start <= last)
  const length = load(bytes, start)
  demandInside(start + 32n * length <= last)
  const first = start + 32n
  return Array.from({ length: Number(length) }, (_, i) => {
    const offset = load(bytes, first + 32n * BigInt(i))
    demandInside(offset < limit && first + offset + 64n <= last)
    const at = first + offset
    const inner = load(bytes, at + 64n)
    demandInside(inner < limit && at + inner <= last)
    const size = load(bytes, at + inner)
    demandInside(size < limit && at + inner + size <= last)
    const from = 2 + Number(at + inner + 32n) * 2
    return {
      target() {
        const target = load(bytes, at)
        demandWellFormed(target < 1n << 160n)
        return `0x${target.toString(16).padStart(40, '0')}`
      },
      value: load(bytes, at + 32n),
      callData: `0x${bytes.slice(from, from + Number(size) * 2)}`,
    }
  })
}

function demandInside(condition: boolean): void {
  if (condition) return
  throw new Revert(
    { name: 'DecodingError', args: [], data: '0xba597e7e' },
    'Encode the calls as abi.encode(Execution[]).',
  )
}

/** A word; zero past the end. */
function load(bytes: Hex, at: bigint): bigint {
  const from = 2 + Number(at) * 2
  return BigInt(`0x${bytes.slice(from, from + 64).padEnd(64, '0')}`)
}
