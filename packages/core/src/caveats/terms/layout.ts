import type { Address, Hex } from 'viem'
import { type Digits, numberIn } from '../execution/digits.ts'

/**
 * Thrown when a value does not fit its field, or bytes do not match their layout. `orMalformed` adds a code.
 */
export class LayoutError extends Error {
  override readonly name = 'LayoutError'
}

/** A field of packed terms: its size, and how to write and read its digits. */
export type Field<Value> = {
  /** Undefined: the field takes all remaining bytes. */
  readonly bytes: number | undefined
  write(value: Value): Digits
  read(digits: Digits): Value
}

/** Writes and reads the terms of one enforcer. */
export type Codec<Terms> = { encode(terms: Terms): Hex; decode(terms: Hex): Terms }

/** An unsigned number. `least` applies to encoding only: the chain also reads zero. */
export function uint(bytes: number, least = 0n): Field<bigint> {
  return {
    bytes,
    write: (value) => digitsOfNumber(value, bytes, least, undefined),
    read: (digits) => numberIn(digits.padStart(64, '0')),
  }
}

/** An unsigned number in JavaScript's safe range; above 2^53 it is neither written nor read. */
export function safeUint(bytes: number, least = 0n, most?: bigint): Field<number> {
  return {
    bytes,
    write(value) {
      if (!Number.isSafeInteger(value)) throw new LayoutError(`${value} is not a safe whole number`)
      return digitsOfNumber(BigInt(value), bytes, least, most)
    },
    read(digits) {
      const value = numberIn(digits.padStart(64, '0'))
      if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new LayoutError(`${value} is above 2^53 - 1`)
      return Number(value)
    },
  }
}

/** A fixed number of bytes. */
export function fixedBytes(bytes: number): Field<Hex> {
  return {
    bytes,
    write(value) {
      const digits = digitsOfHex(value)
      if (digits.length !== 2 * bytes) throw new LayoutError(`${value} is not ${bytes} bytes`)
      return digits
    },
    read: (digits) => `0x${digits}`,
  }
}

/** An address, in upper or lower case. */
export const address: Field<Address> = fixedBytes(20)

/** All remaining bytes, even none. Only valid as the last field of a layout. */
export const restOfBytes: Field<Hex> = {
  bytes: undefined,
  write: digitsOfHex,
  read: (digits) => `0x${digits}`,
}

/**
 * The codec of fields packed without padding.
 *
 * @param check - throws for a combination that an encoder must refuse although each field alone is valid
 */
export function packedFields<Terms extends Readonly<Record<string, unknown>>>(
  fields: { readonly [Name in keyof Terms]: Field<Terms[Name]> },
  check: (terms: NoInfer<Terms>) => void = () => {},
): Codec<Terms> & Field<Terms> {
  const entries = Object.entries<Field<Terms[keyof Terms]>>(fields).map(
    ([name, field]) => [name as keyof Terms, field] as const,
  )
  const least = entries.reduce((sum, [, field]) => sum + (field.bytes ?? 0), 0)
  const bytes = entries.some(([, field]) => field.bytes === undefined) ? undefined : least
  return codecOf({
    bytes,
    write(terms) {
      check(terms)
      return entries.map(([name, field]) => field.write(terms[name])).join('')
    },
    read(digits) {
      const size = digits.length / 2
      if (bytes === undefined ? size < least : size !== bytes) {
        throw new LayoutError(`${size} bytes; expected ${bytes === undefined ? 'at least ' : ''}${least}`)
      }
      let at = 0
      const terms: Partial<Terms> = {}
      for (const [name, field] of entries) {
        const end = field.bytes === undefined ? digits.length : at + 2 * field.bytes
        terms[name] = field.read(digits.slice(at, end))
        at = end
      }
      return terms as Terms
    },
  })
}

/** The codec of a list of one field or layout, with at least one entry. */
export function packedListOf<Entry>(entry: Field<Entry>) {
  const step = 2 * (entry.bytes ?? 0)
  return codecOf<readonly Entry[]>({
    bytes: undefined,
    write(entries) {
      if (entries.length === 0) throw new LayoutError('the list is empty')
      return entries.map((each) => entry.write(each)).join('')
    },
    read(digits) {
      if (digits.length === 0 || digits.length % step !== 0) {
        throw new LayoutError(`${digits.length / 2} bytes; expected a multiple of ${step / 2}`)
      }
      return Array.from({ length: digits.length / step }, (_, i) =>
        entry.read(digits.slice(i * step, (i + 1) * step)),
      )
    },
  })
}

function codecOf<Terms>(field: Field<Terms>): Codec<Terms> & Field<Terms> {
  return {
    ...field,
    encode: (terms) => `0x${field.write(terms)}`,
    decode: (terms) => field.read(digitsOfHex(terms)),
  }
}

function digitsOfHex(hex: Hex): Digits {
  const digits = hex.slice(2)
  if (!hex.startsWith('0x') || digits.length % 2 === 1 || /[^0-9a-f]/i.test(digits)) {
    throw new LayoutError(`${hex} is not hex of whole bytes`)
  }
  return digits.toLowerCase()
}

function digitsOfNumber(value: bigint, bytes: number, least: bigint, most: bigint | undefined): Digits {
  if (typeof value !== 'bigint') throw new LayoutError(`${value} is not a bigint`)
  if (value < least) throw new LayoutError(`${value} is below ${least}`)
  const limit = most ?? (1n << BigInt(8 * bytes)) - 1n
  if (value > limit) throw new LayoutError(`${value} is above ${limit}`)
  return value.toString(16).padStart(2 * bytes, '0')
}
