import type { Hex } from 'viem'
import { BardoError } from '../../errors/BardoError.ts'
import type { RulesVersion } from '../caveatKind.ts'
import { type Digits, digitsOf, lengthOf } from '../execution/digits.ts'
import { Refused, refuse } from '../verdict/refuse.ts'

/** A field of packed terms: its size in bytes, and its value. */
export type Field = readonly [size: number, value: number | bigint | Hex]

/** Packs fields, numbers big-endian. A negative number does not fit: it would be read as a huge one. */
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
  throw new BardoError('A value does not fit its field of the terms.', {
    code: 'TERMS_MALFORMED',
    details: [`${value} does not fit ${size} bytes`],
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

/** Reads terms, and refuses what the enforcer of that version refuses. */
export type TermsReader<Terms> = (terms: Digits, rules?: RulesVersion) => Terms

/** Decodes terms for a caller: a refusal of the enforcer becomes a BardoError with a code. */
export function decodedTerms<Terms>(
  kind: string,
  terms: Hex,
  read: TermsReader<Terms>,
  rules?: RulesVersion,
): Terms {
  try {
    return read(digitsOf(terms), rules)
  } catch (reason) {
    if (!(reason instanceof Refused)) throw reason
    const { name, args } = reason.refusal
    throw new BardoError(`The terms of ${kind} are malformed: its enforcer would refuse them.`, {
      code: 'TERMS_MALFORMED',
      details: [`${name}(${args.join(', ')})`],
      docsPath: 'caveats.md',
    })
  }
}

/** Encodes terms and checks that the enforcer accepts them. */
export function checkedTerms(
  kind: string,
  terms: Hex,
  read: TermsReader<unknown>,
  rules?: RulesVersion,
): Hex {
  decodedTerms(kind, terms, read, rules)
  return terms
}
