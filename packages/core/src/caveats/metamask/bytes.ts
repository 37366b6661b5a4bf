import { type Address, encodeAbiParameters, type Hex } from 'viem'
import type { Refusal } from '../caveatKind.ts'
import { numberIn } from '../execution/digits.ts'
import { encodedError } from '../verdict/refuse.ts'

/** A stock enforcer's revert: thrown inside a hook, caught by `metamaskKind`. */
export class Revert {
  readonly refusal: Refusal
  readonly remedy: string

  constructor(refusal: Refusal, remedy: string) {
    this.refusal = refusal
    this.remedy = remedy
  }
}

/** Thrown when only a simulation can tell. */
export class Unforeseen {}

/** `Error(string)`. */
const errorSelector = '0x08c379a0'
const maxWord = (1n << 256n) - 1n

/** Solidity's `require` with a reason. A costly remedy is a function: most checks pass. */
export function demand(condition: boolean, reason: string, remedy: string | (() => string)): void {
  if (condition) return
  const data: Hex = `${errorSelector}${encodeAbiParameters([{ type: 'string' }], [reason]).slice(2)}`
  const sentence = typeof remedy === 'string' ? remedy : remedy()
  throw new Revert({ name: 'Error', args: [reason], data }, sentence)
}

/** A revert without data: a slice past the end, or a value that does not fit its type. */
export function demandWellFormed(
  condition: boolean,
  remedy: string | (() => string) = 'Send complete, well-formed bytes.',
): void {
  if (condition) return
  const sentence = typeof remedy === 'string' ? remedy : remedy()
  throw new Revert({ name: 'Revert', args: [], data: '0x' }, sentence)
}

/** Solidity's panics: 0x11 overflow, 0x12 division by zero, 0x41 too much memory. */
export function panic(code: 0x11n | 0x12n | 0x41n, remedy: string): never {
  const data = encodedError('Panic', [code])
  throw new Revert({ name: 'Panic', args: [code], data }, remedy)
}

const smaller = 'Use numbers that do not overflow 256 bits.'

/** Checked addition. */
export function add(a: bigint, b: bigint): bigint {
  return a + b > maxWord ? panic(0x11n, smaller) : a + b
}

/** Checked subtraction. */
export function subtract(a: bigint, b: bigint, remedy = smaller): bigint {
  return b > a ? panic(0x11n, remedy) : a - b
}

/** Checked multiplication. */
export function multiply(a: bigint, b: bigint): bigint {
  return a * b > maxWord ? panic(0x11n, smaller) : a * b
}

/** The number of bytes. */
export function size(bytes: Hex): number {
  return (bytes.length - 2) / 2
}

/** `bytes[start:end]`, which reverts past the end. */
export function slice(bytes: Hex, start: number, end = size(bytes)): Hex {
  demandWellFormed(start <= end && end <= size(bytes))
  return `0x${bytes.slice(2 + start * 2, 2 + end * 2)}`
}

/** `uint256(bytes32(bytes[at:at + 32]))`. */
export function word(bytes: Hex, at: number): bigint {
  return numberIn(slice(bytes, at, at + 32).slice(2))
}

/** `address(bytes20(bytes[at:at + 20]))`. */
export function addressAt(bytes: Hex, at: number): Address {
  return slice(bytes, at, at + 20)
}

/** Whether the bytes are equal, ignoring the case of the digits. */
export function same(a: Hex, b: Hex): boolean {
  return a.length === b.length && a.toLowerCase() === b.toLowerCase()
}
