import { concat, type Hex } from 'viem'
import { formatShortDollars } from '../format/money.ts'
import { boundKind } from './boundKind.ts'
import type { RulesVersion } from './caveatKind.ts'
import { bigAt, type Digits, digitsOf, hexAt } from './execution/digits.ts'
import { close, open, planBefore } from './measure/flows.ts'
import { frameOf } from './measure/frames.ts'
import { centsUp } from './measure/prices.ts'
import { meteredReads, readable } from './measure/reads.ts'
import { maxBudgetCents, spendFromBudget } from './measure/rollingBudget.ts'
import { usedInDay, wordsIn } from './measure/used.ts'
import { above, coverage, otherLineage, widerMandate } from './terms/coverage.ts'
import { encodeMandate, type Mandate, noSettlement, readTrailingMandate } from './terms/mandate.ts'
import { checkedTerms, decodedTerms, packed } from './terms/packed.ts'
import { evaluateManagedHooks } from './verdict/evaluateHooks.ts'
import { type RowKey, rowQuestion } from './verdict/questions.ts'
import { refuse } from './verdict/refuse.ts'
import { askOwn } from './verdict/staticRead.ts'

export type DailySpendLimitTerms = {
  /** The lineage whose spending is counted together. */
  readonly lineage: Hex
  /** Below 2^28. */
  readonly limitCents: bigint
  readonly mandate: Mandate
}

const name = 'DailySpendLimit'
const head = 36

/** Limits what leaves in any 24 hours. */
export const dailySpendLimit = boundKind<DailySpendLimitTerms>({
  name,
  encode: ({ lineage, limitCents, mandate }, rules) =>
    checkedTerms(name, concat([packed([32, lineage], [4, limitCents]), encodeMandate(mandate)]), read, rules),
  decode: (terms, rules) => decodedTerms(name, terms, read, rules),
  covers: (parent, child) =>
    coverage(
      otherLineage(child.lineage, parent.lineage),
      above('cents in 24 hours', child.limitCents, parent.limitCents),
      widerMandate(child.mandate, parent.mandate, { priced: true }),
    ),
  describe: ({ limitCents }) => `at most ${formatShortDollars(limitCents)} in any 24 hours`,
  account: ({ mandate }) => mandate.account,
  usageReads: ({ lineage }, row) => [rowRead(row, lineage)],
  usage: ({ lineage, limitCents }, row, state) => {
    const [word] = wordsIn(state, rowRead(row, lineage), 1) ?? []
    return word === undefined ? [] : usedInDay(word, limitCents, state)
  },
  reads: (terms, context) => {
    const decoded = readable(terms, read, context.rules)
    return decoded ? [...meteredReads(context, decoded.mandate), rowRead(context, decoded.lineage)] : []
  },
  evaluate: (terms, context) =>
    evaluateManagedHooks(context, (before) => {
      const { lineage, limitCents, mandate } = read(digitsOf(terms), context.rules)
      const opened = open(
        context,
        before,
        lineage,
        mandate,
        planBefore(context, before, mandate, noSettlement),
      )
      return (after) => {
        const cents = centsUp(close(after, mandate, opened).outMicros)
        if (cents === 0n) return
        const [word = 0n] = askOwn(after, rowRead(context, lineage), 1)
        spendFromBudget(word, after.timestamp, cents, limitCents)
      }
    }),
  leaves: (terms, context) => {
    const { lineage, mandate } = read(digitsOf(terms), context.rules)
    return { frames: [frameOf(context, mandate, lineage)] }
  },
})

function rowRead(context: RowKey, lineage: Hex) {
  return rowQuestion(context, 'budget', lineage)
}

function read(terms: Digits, rules?: RulesVersion): DailySpendLimitTerms {
  const mandate = readTrailingMandate(terms, head, rules)
  const limitCents = bigAt(terms, 32, 4)
  if (limitCents > maxBudgetCents) refuse('TermsUnknown', limitCents)
  return { lineage: hexAt(terms, 0, 32), limitCents, mandate }
}
