import { type Address, type Hex, keccak256, stringToHex } from 'viem'
import { remember } from './remember.ts'

/** Bytes as lower-case hex digits without 0x: two digits are one byte, and slicing is cheap. */
export type Digits = string

export function digitsOf(hex: Hex): Digits {
  return knownDigits(hex)
}

const knownDigits = remember((hex) => hex.slice(2).toLowerCase())

/**
 * The first four bytes of a signature's hash. viem's function would bundle a signature parser into every
 * page.
 */
export function selectorOf(signature: string): Hex {
  return `0x${keccak256(stringToHex(signature)).slice(2, 10)}`
}

export function lengthOf(digits: Digits): number {
  return digits.length / 2
}

export function cut(digits: Digits, start: number, length: number): Digits {
  return digits.slice(2 * start, 2 * (start + length))
}

/** A number of at most six bytes. Bytes past the end read as zero. */
export function smallAt(digits: Digits, start: number, length: number): number {
  return Number.parseInt(padded(cut(digits, start, length), length), 16)
}

/** A number of any size. Bytes past the end read as zero. */
export function bigAt(digits: Digits, start: number, length: number): bigint {
  return BigInt(`0x${padded(cut(digits, start, length), length)}`)
}

/**
 * The 32 bytes at a position, without a bounds check: for words that are checked before or refused anyway.
 */
export function loadWord(digits: Digits, start: number): bigint {
  return numberIn(padded(cut(digits, start, 32), 32))
}

/** The number in a word's 64 digits. Most are small; the fast path for them is many times faster. */
export function numberIn(word: Digits): bigint {
  return word.startsWith(smallWord) ? BigInt(Number.parseInt(word.slice(52), 16)) : BigInt(`0x${word}`)
}

const smallWord = '0'.repeat(52)

/** The address in the 32 bytes at a position; undefined if the bytes above it are not zero. */
export function cleanAddressAt(digits: Digits, start: number): Address | undefined {
  const word = padded(cut(digits, start, 32), 32)
  return word.startsWith(aboveAddress) ? `0x${word.slice(24)}` : undefined
}

const aboveAddress = '0'.repeat(24)

export function packedAddressAt(digits: Digits, start: number): Address {
  return `0x${padded(cut(digits, start, 20), 20)}`
}

export function hexAt(digits: Digits, start: number, length: number): Hex {
  return `0x${padded(cut(digits, start, length), length)}`
}

/** A whole number as one ABI word. */
export function wordOf(value: bigint | number): Digits {
  return value.toString(16).padStart(64, '0')
}

/** The word of zero, as one string: a read with it is found again without hashing 64 new digits. */
export const zeroWord = wordOf(0)

/** An address as one ABI word. */
export const addressWord: (address: Address) => Digits = remember((address) =>
  address.slice(2).toLowerCase().padStart(64, '0'),
)

/** The address in a word's last twenty bytes; the bytes above are ignored. */
export function addressInWord(word: bigint): Address {
  return `0x${(word & addressMask).toString(16).padStart(40, '0')}`
}

/** Lower case, as all comparisons here expect: callers also pass checksummed addresses. */
export const plainAddress: (address: Address) => Address = remember(
  (address) => address.toLowerCase() as Address,
)

const addressMask = (1n << 160n) - 1n

function padded(digits: Digits, length: number): Digits {
  return digits.length === 2 * length ? digits : digits.padEnd(2 * length, '0')
}
