import type { Hex } from 'viem'
import { BardoError } from '../../errors/BardoError.ts'
import { allowedCalldataTerms } from '../terms/metamaskTerms.ts'
import { add, demand, same, size, slice, word } from './bytes.ts'
import { metamaskKind } from './metamaskKind.ts'
import { coveredIf } from './words.ts'

/** Bytes that the calldata must contain at a position; the selector counts as its first four bytes. */
export type AllowedCalldataTerms = { readonly startIndex: number; readonly value: Hex }

/** AllowedCalldata: one call, with the signed bytes at the signed position. */
export const allowedCalldata = metamaskKind<AllowedCalldataTerms>({
  name: 'AllowedCalldata',
  calls: 'single',
  encode: allowedCalldataTerms.encode,
  decode(terms) {
    // The layout allows an empty value; the enforcer does not.
    if (size(terms) < 33) {
      throw new BardoError('These are not terms of AllowedCalldata.', {
        code: 'TERMS_MALFORMED',
        details: [`${size(terms)} bytes, at least 33 are needed`],
      })
    }
    return allowedCalldataTerms.decode(terms)
  },
  covers(parent, child) {
    const from = parent.startIndex - child.startIndex
    const holds =
      from >= 0 &&
      from + size(parent.value) <= size(child.value) &&
      same(slice(child.value, from, from + size(parent.value)), parent.value)
    return coveredIf(
      holds,
      `the parent fixes ${size(parent.value)} bytes from byte ${parent.startIndex}; the child does not fix the same bytes`,
    )
  },
  describe: ({ startIndex, value }) =>
    `only single calls with ${value} at byte ${startIndex} of the calldata`,
  before(terms, hook) {
    const { callData } = hook.single()
    demand(
      size(terms) >= 33,
      'AllowedCalldataEnforcer:invalid-terms-size',
      'Sign a position and at least one byte.',
    )
    const start = word(terms, 0)
    const value = slice(terms, 32)
    const end = add(start, BigInt(size(value)))
    demand(
      end <= BigInt(size(callData)),
      'AllowedCalldataEnforcer:invalid-calldata-length',
      () => `Send at least ${end} bytes of calldata instead of ${size(callData)}.`,
    )
    const actual = slice(callData, Number(start), Number(end))
    demand(
      actual === value,
      'AllowedCalldataEnforcer:invalid-calldata',
      () => `Send ${value} at byte ${start} instead of ${actual}.`,
    )
  },
})
