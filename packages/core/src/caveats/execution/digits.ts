import type { Address, Hex } from 'viem'
import { remember } from './remember.ts'

/** Bytes as lower-case hex digits without the 0x: two digits are a byte, and a slice costs nothing. */
export type Digits = string

export function digitsOf(hex: Hex): Digits {
  return knownDigits(hex)
}

const knownDigits = remember((hex) => hex.slice(2).toLowerCase())

export function lengthOf(digits: Digits): number {
  return digits.length / 2
}

export function cut(digits: Digits, start: number, length: number): Digits {
  return digits.slice(2 * start, 2 * (start + length))
}

/** A number of at most six bytes. What lies behind the end is zero. */
export function smallAt(digits: Digits, start: number, length: number): number {
  return Number.parseInt(padded(cut(digits, start, length), length), 16)
}

/** A number of any size. What lies behind the end is zero. */
export function bigAt(digits: Digits, start: number, length: number): bigint {
  return BigInt(`0x${padded(cut(digits, start, length), length)}`)
}

/** The 32 bytes at a place, without looking whether they are there: for what is checked before or refused anyway. */
export function loadWord(digits: Digits, start: number): bigint {
  return numberIn(padded(cut(digits, start, 32), 32))
}

/** The number that a word's 64 digits write. Most are small, and those are read many times as fast. */
export function numberIn(word: Digits): bigint {
  return word.startsWith(smallWord) ? BigInt(Number.parseInt(word.slice(52), 16)) : BigInt(`0x${word}`)
}

const smallWord = '0'.repeat(52)

/** The address in the 32 bytes at a place; undefined where the bytes above it are not clean. */
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

/** A whole number as one word of an ABI encoding. */
export function wordOf(value: bigint | number): Digits {
  return value.toString(16).padStart(64, '0')
}

/** An address as one word of an ABI encoding. */
export const addressWord: (address: Address) => Digits = remember((address) =>
  address.slice(2).toLowerCase().padStart(64, '0'),
)

/** The address in a word's last twenty bytes, whatever lies above. */
export function addressInWord(word: bigint): Address {
  return `0x${(word & addressMask).toString(16).padStart(40, '0')}`
}

/** As every comparison here wants it: addresses come in checksummed too. */
export const plainAddress: (address: Address) => Address = remember(
  (address) => address.toLowerCase() as Address,
)

const addressMask = (1n << 160n) - 1n

function padded(digits: Digits, length: number): Digits {
  return digits.length === 2 * length ? digits : digits.padEnd(2 * length, '0')
}
