import type { Address, Hex } from 'viem'
import type { Execution } from '../caveatKind.ts'
import { refuse } from '../verdict/refuse.ts'
import { malformed } from './abiReader.ts'
import {
  bigAt,
  cleanAddressAt,
  cut,
  type Digits,
  digitsOf,
  lengthOf,
  loadWord,
  packedAddressAt,
} from './digits.ts'

/** One call of an execution, as its bytes say. */
export type DecodedCall = { readonly target: Address; readonly value: bigint; readonly data: Digits }

const single: Hex = `0x${'00'.repeat(32)}`
const batch: Hex = `0x01${'00'.repeat(31)}`
const maxCalls = 16n

// A batch starts with the offset and the length of its array, followed by a table of offsets.
const table = 64
// A call in a batch: target, value, offset of the calldata, length of the calldata.
const callHead = 128

/**
 * The number of calls and the position of the first: all that an enforcer of the execution's shape checks.
 */
export function openCalls(execution: Execution): { readonly count: number; readonly first: number } {
  const mode = execution.mode.toLowerCase()
  const calldata = digitsOf(execution.calldata)
  const length = lengthOf(calldata)
  if (mode === single) {
    if (length < 52) refuse('ExecutionTooShort', BigInt(length))
    return { count: 1, first: 0 }
  }
  if (mode !== batch) refuse('ModeNotSupported', mode)
  if (length < table || loadWord(calldata, 0) !== 32n) malformed(0, calldata)
  const count = loadWord(calldata, 32)
  if (count > maxCalls) refuse('TooManyCalls', count, maxCalls)
  return { count: Number(count), first: table + 32 * Number(count) }
}

/** Passes every call to `visit`, in order. A call is parsed only after the previous one was checked. */
export function visitCalls(execution: Execution, visit: (call: DecodedCall) => void): void {
  const { count, first } = openCalls(execution)
  const calldata = digitsOf(execution.calldata)
  const length = lengthOf(calldata)
  if (execution.mode.toLowerCase() === single) {
    visit({
      target: packedAddressAt(calldata, 0),
      value: bigAt(calldata, 20, 32),
      data: cut(calldata, 52, length - 52),
    })
    return
  }
  let place = first
  for (let index = 0; index < count; index++) {
    const target = cleanAddressAt(calldata, place)
    const size = loadWord(calldata, place + 96)
    const crooked =
      loadWord(calldata, table + 32 * index) !== BigInt(place - table) ||
      loadWord(calldata, place + 64) !== 96n ||
      size >> 32n !== 0n
    const next = place + callHead + 32 * Math.ceil(Number(size) / 32)
    if (!target || crooked || next > length) malformed(place, calldata)
    visit({
      target,
      value: loadWord(calldata, place + 32),
      data: cut(calldata, place + callHead, Number(size)),
    })
    place = next
  }
  if (place !== length) malformed(place, calldata)
}
