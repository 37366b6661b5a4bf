import { createAllowedCalldataTerms, decodeAllowedCalldataTerms } from '@metamask/delegation-core'
import type { Hex } from 'viem'
import { BardoError } from '../../errors/BardoError.ts'
import { add, demand, same, size, slice, word } from './bytes.ts'
import { stockKind } from './stockKind.ts'
import { coveredIf } from './words.ts'

/** Bytes that must stand at a place of the calldata, its selector included. */
export type AllowedCalldataTerms = { readonly startIndex: number; readonly value: Hex }

/** AllowedCalldata: one call, with the signed bytes at the signed place. */
export const allowedCalldata = stockKind<AllowedCalldataTerms>({
  name: 'AllowedCalldata',
  calls: 'single',
  encode: (terms) => createAllowedCalldataTerms(terms),
  decode(terms) {
    // The kit's decoder takes a place without bytes; the enforcer does not.
    if (size(terms) < 33) {
      throw new BardoError('These are not terms of AllowedCalldata.', {
        code: 'TERMS_MALFORMED',
        details: [`${size(terms)} bytes, at least 33 are needed`],
      })
    }
    return decodeAllowedCalldataTerms(terms)
  },
  covers(parent, child) {
    const from = parent.startIndex - child.startIndex
    const holds =
      from >= 0 &&
      from + size(parent.value) <= size(child.value) &&
      same(slice(child.value, from, from + size(parent.value)), parent.value)
    return coveredIf(
      holds,
      `the parent fixes ${size(parent.value)} bytes from byte ${parent.startIndex} on; the child does not fix the same ones`,
    )
  },
  describe: ({ startIndex, value }) =>
    `only calls that carry ${value} from byte ${startIndex} of their data on, one at a time`,
  before(terms, hook) {
    const { callData } = hook.single()
    demand(
      size(terms) >= 33,
      'AllowedCalldataEnforcer:invalid-terms-size',
      'Sign a place and at least one byte.',
    )
    const start = word(terms, 0)
    const value = slice(terms, 32)
    const end = add(start, BigInt(size(value)))
    demand(
      end <= BigInt(size(callData)),
      'AllowedCalldataEnforcer:invalid-calldata-length',
      () => `Send at least ${end} bytes of calldata instead of ${size(callData)}.`,
    )
    const found = slice(callData, Number(start), Number(end))
    demand(
      found === value,
      'AllowedCalldataEnforcer:invalid-calldata',
      () => `Send ${value} from byte ${start} on instead of ${found}.`,
    )
  },
})
