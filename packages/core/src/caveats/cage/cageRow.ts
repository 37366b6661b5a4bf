import type { ChainState, HookContext, Read } from '../caveatKind.ts'
import { digitsOf, wordOf, zeroWord } from '../execution/digits.ts'
import { type RowKey, rowQuestion } from '../verdict/questions.ts'
import { askOwn } from '../verdict/staticRead.ts'
import type { CageTerms } from './cageTerms.ts'

/** The byte offset of the gas drawn in a row. */
export const gasWord = 192
/** The word of a row that holds the spending in the requested period. */
const totalWord = 7

/**
 * The call that reads a lineage's row from the Cage.
 *
 * @param total - the period to read. Default: the first signed period.
 */
export function rowRead(
  { manager, enforcer, delegator }: RowKey,
  { version, golem, constitution, totals = [] }: CageTerms,
  total = totals[0],
) {
  const row = { manager, enforcer, delegator, rules: version }
  const policy = constitution ? digitsOf(constitution) : zeroWord
  if (version === 1) return rowQuestion(row, 'lineageState', golem, policy)
  // A version 2 answer holds the total of one period. If no period is signed, read the whole life.
  const period = total ? wordOf(total.periodSeconds) : zeroWord
  return rowQuestion(row, 'lineageState', golem, policy, period)
}

/** The calls that read a lineage's complete state: one per signed period, at least one. */
export function rowReads(context: RowKey, terms: CageTerms): readonly Read[] {
  const { totals = [] } = terms
  return totals.length === 0
    ? [rowRead(context, terms)]
    : totals.map((total) => rowRead(context, terms, total))
}

/** The number of words in a row. */
export function rowLength({ version }: CageTerms): number {
  return version === 1 ? 6 : 8
}

/** The spending in a signed period; undefined if the chain was not read. */
export function totalIn(words: readonly bigint[] | undefined): bigint | undefined {
  return words?.[totalWord]
}

/** The lineage's state in the Cage. */
export function rowOf(context: HookContext, chain: ChainState, terms: CageTerms) {
  const words = askOwn(chain, rowRead(context, terms), rowLength(terms))
  const [budget = 0n, calls = 0n, everSpent = 0n, highWaterCents = 0n, sessionStart = 0n, sessionCents = 0n] =
    words
  return {
    budget,
    calls,
    everSpent,
    highWaterCents,
    sessionStart,
    sessionCents,
    gasDrawn: words[gasWord / 32] ?? 0n,
  }
}
