import { isoTime } from '../format/time.ts'
import { boundKind } from './boundKind.ts'
import { openCalls } from './execution/calls.ts'
import { type Digits, digitsOf, smallAt } from './execution/digits.ts'
import { requireWithin } from './measure/lifetime.ts'
import { above, below, coverage } from './terms/coverage.ts'
import { checkedTerms, decodedTerms, packed, requireLength } from './terms/packed.ts'
import { evaluateHooks } from './verdict/evaluateHooks.ts'

/** Unix seconds, both inclusive. */
export type MortalityTimeWindowTerms = { readonly start: number; readonly end: number }

const name = 'MortalityTimeWindow'

/** Refuses executions before the first or after the last second. */
export const mortalityTimeWindow = boundKind<MortalityTimeWindowTerms>({
  name,
  encode: ({ start, end }) => checkedTerms(name, packed([5, start], [5, end]), read),
  decode: (terms) => decodedTerms(name, terms, read),
  covers: (parent, child) =>
    coverage(below('start', child.start, parent.start), above('end', child.end, parent.end)),
  describe: ({ start, end }) => `only from ${isoTime(start)} to ${isoTime(end)}`,
  window: ({ end }) => ({ last: BigInt(end) }),
  reads: () => [],
  evaluate: (terms, context) =>
    evaluateHooks(context, (chain) => {
      const { start, end } = read(digitsOf(terms))
      openCalls(context.execution)
      requireWithin(chain, start, end)
    }),
})

function read(terms: Digits): MortalityTimeWindowTerms {
  requireLength(terms, 10)
  return { start: smallAt(terms, 0, 5), end: smallAt(terms, 5, 5) }
}
