import { type Address, encodeErrorResult, type Hex } from 'viem'
import type { Refusal } from '../caveatKind.ts'
import { numberIn } from '../execution/digits.ts'

/** What a stock enforcer does instead of returning: thrown inside a hook, caught by `stockKind`. */
export class Revert {
  readonly refusal: Refusal
  readonly remedy: string

  constructor(refusal: Refusal, remedy: string) {
    this.refusal = refusal
    this.remedy = remedy
  }
}

/** Thrown where only running it would tell. */
export class Unforeseen {}

const errorAbi = [{ type: 'error', name: 'Error', inputs: [{ name: 'reason', type: 'string' }] }] as const
const panicAbi = [{ type: 'error', name: 'Panic', inputs: [{ name: 'code', type: 'uint256' }] }] as const
const maxWord = (1n << 256n) - 1n

/** Solidity's `require` with a reason. A remedy that takes work to write is a function: most demands are met. */
export function demand(condition: boolean, reason: string, remedy: string | (() => string)): void {
  if (condition) return
  const data = encodeErrorResult({ abi: errorAbi, errorName: 'Error', args: [reason] })
  const sentence = typeof remedy === 'string' ? remedy : remedy()
  throw new Revert({ name: 'Error', args: [reason], data }, sentence)
}

/** A revert without a word: a slice past the end, a value that does not fit its type. */
export function demandWellFormed(condition: boolean): void {
  if (condition) return
  throw new Revert({ name: 'Revert', args: [], data: '0x' }, 'Send bytes that are complete and well formed.')
}

/** Solidity's own failures: 0x11 overflow, 0x12 division by zero, 0x41 too much memory. */
export function panic(code: 0x11n | 0x12n | 0x41n, remedy: string): never {
  const data = encodeErrorResult({ abi: panicAbi, errorName: 'Panic', args: [code] })
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

/** How many bytes. */
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

/** Equal bytes, whatever the case of their digits. */
export function same(a: Hex, b: Hex): boolean {
  return a.length === b.length && a.toLowerCase() === b.toLowerCase()
}
