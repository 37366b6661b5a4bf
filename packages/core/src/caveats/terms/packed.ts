import type { Hex } from 'viem'
import { BardoError } from '../../errors/BardoError.ts'
import { type Digits, digitsOf, lengthOf } from '../execution/digits.ts'
import { Refused, refuse } from '../verdict/refuse.ts'

/** A field of packed terms: how many bytes, and what is in them. */
export type Field = readonly [size: number, value: number | bigint | Hex]

/** Fields behind each other, numbers big-endian. A negative number does not fit: it would be read as a huge one. */
export function packed(...fields: readonly Field[]): Hex {
  return `0x${fields.map(([size, value]) => digitsOfField(size, value)).join('')}`
}

function digitsOfField(size: number, value: Field[1]): Digits {
  if (typeof value === 'string') {
    const digits = digitsOf(value)
    if (digits.length !== 2 * size || !/^[0-9a-f]*$/.test(digits)) unfit(size, value)
    return digits
  }
  if (typeof value === 'number' && !Number.isSafeInteger(value)) unfit(size, value)
  const whole = BigInt(value)
  if (whole < 0n || whole >= 1n << BigInt(8 * size)) unfit(size, value)
  return whole.toString(16).padStart(2 * size, '0')
}

function unfit(size: number, value: Field[1]): never {
  throw new BardoError('A number or address does not fit into its field of the terms.', {
    code: 'TERMS_MALFORMED',
    details: [`${value} into ${size} bytes`],
  })
}

/** A field of one byte for a number between -128 and 127, in two's complement. */
export function signedByte(value: number): Field {
  if (!Number.isInteger(value) || value < -128 || value > 127) unfit(1, value)
  return [1, value < 0 ? value + 256 : value]
}

/** A byte as a number between -128 and 127. */
export function signed8(byte: number): number {
  return byte > 127 ? byte - 256 : byte
}

export function requireLength(terms: Digits, expected: number): void {
  if (lengthOf(terms) !== expected) refuse('TermsLength', BigInt(lengthOf(terms)), BigInt(expected))
}

/** Decodes terms for a caller: what the enforcer would refuse becomes an error with a code. */
export function decodedTerms<Terms>(kind: string, terms: Hex, read: (terms: Digits) => Terms): Terms {
  try {
    return read(digitsOf(terms))
  } catch (reason) {
    if (!(reason instanceof Refused)) throw reason
    const { name, args } = reason.refusal
    throw new BardoError(`These are no terms of ${kind}: its enforcer would refuse them.`, {
      code: 'TERMS_MALFORMED',
      details: [`${name}(${args.join(', ')})`],
      docsPath: 'caveats.md',
    })
  }
}

/** Encoded terms, once they were seen to be what the enforcer accepts. */
export function checkedTerms(kind: string, terms: Hex, read: (terms: Digits) => unknown): Hex {
  decodedTerms(kind, terms, read)
  return terms
}
