import type { Address, Hex } from 'viem'
import { refuse } from '../verdict/refuse.ts'
import { cleanAddressAt, cut, type Digits, lengthOf, loadWord } from './digits.ts'

/** Reads ABI-encoded arguments in place and never past their end, as AbiReader.sol does. */

/** Zero if there is none. */
export function selectorOf(data: Digits): Hex {
  return data.length >= 8 ? `0x${data.slice(0, 8)}` : '0x00000000'
}

export function wordAt(data: Digits, offset: number): bigint {
  if (offset > lengthOf(data) || lengthOf(data) - offset < 32) malformed(offset, data)
  return loadWord(data, offset)
}

export function addressAt(data: Digits, offset: number): Address {
  wordAt(data, offset)
  return loadAddress(data, offset)
}

/** Refuses dirty bytes above an address; does not check that the word is present. */
export function loadAddress(data: Digits, offset: number): Address {
  return cleanAddressAt(data, offset) ?? malformed(offset, data)
}

/** The absolute position that the offset at `head`, relative to `base`, points to. */
export function follow(data: Digits, base: number, head: number): number {
  const offset = wordAt(data, head)
  const length = BigInt(lengthOf(data))
  if (offset > length || BigInt(base) + offset > length) malformed(offset, data)
  return base + Number(offset)
}

/** The dynamic bytes that the offset at `head`, relative to `base`, points to. */
export function bytesAt(data: Digits, base: number, head: number): Digits {
  const start = follow(data, base, head)
  const length = wordAt(data, start)
  const whole = BigInt(lengthOf(data))
  if (length > whole || BigInt(start + 32) + length > whole) malformed(start, data)
  return cut(data, start + 32, Number(length))
}

export function malformed(offset: bigint | number, data: Digits): never {
  return refuse('DataMalformed', BigInt(offset), BigInt(lengthOf(data)))
}
