import { concat, type Hex } from 'viem'
import { boundKind } from './boundKind.ts'
import { bigAt, type Digits, digitsOf, hexAt } from './execution/digits.ts'
import { close, open, planBefore } from './measure/flows.ts'
import { frameOf } from './measure/frames.ts'
import { enforcerOf, meteredReads, type RowKey, readable, rowWords } from './measure/gather.ts'
import { centsUp } from './measure/prices.ts'
import { maxBudgetCents, spendFromBudget } from './measure/rollingBudget.ts'
import { usedInDay, wordsIn } from './measure/used.ts'
import { above, coverage, otherLineage, widerMandate } from './terms/coverage.ts'
import { encodeMandate, type Mandate, noSettlement, readTrailingMandate } from './terms/mandate.ts'
import { checkedTerms, decodedTerms, packed } from './terms/packed.ts'
import { dollarsOf } from './terms/words.ts'
import { askOwn } from './verdict/ask.ts'
import { judge } from './verdict/judge.ts'
import { questions } from './verdict/questions.ts'
import { refuse } from './verdict/refuse.ts'

export type DailySpendLimitTerms = {
  /** Whose spending counts together. */
  readonly lineage: Hex
  /** Below 2^28. */
  readonly limitCents: bigint
  readonly mandate: Mandate
}

const name = 'DailySpendLimit'
const head = 36

/** In any 24 hours at most so much leaves. */
export const dailySpendLimit = boundKind<DailySpendLimitTerms>({
  name,
  encode: ({ lineage, limitCents, mandate }) =>
    checkedTerms(name, concat([packed([32, lineage], [4, limitCents]), encodeMandate(mandate)]), read),
  decode: (terms) => decodedTerms(name, terms, read),
  covers: (parent, child) =>
    coverage(
      otherLineage(child.lineage, parent.lineage),
      above('cents in 24 hours', child.limitCents, parent.limitCents),
      widerMandate(child.mandate, parent.mandate, { priced: true }),
    ),
  describe: ({ limitCents }) => `at most ${dollarsOf(limitCents)} in any 24 hours`,
  account: ({ mandate }) => mandate.account,
  usageReads: ({ lineage }, row) => [rowRead(row, lineage)],
  usage: ({ lineage, limitCents }, row, state) => {
    const [word] = wordsIn(state, rowRead(row, lineage), 1) ?? []
    return word === undefined ? [] : usedInDay(word, limitCents, state)
  },
  reads: (terms, context) => {
    const known = readable(terms, read)
    return known ? [...meteredReads(context, known.mandate), rowRead(context, known.lineage)] : []
  },
  evaluate: (terms, context) =>
    judge(context, (before) => {
      const { lineage, limitCents, mandate } = read(digitsOf(terms))
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
    const { lineage, mandate } = read(digitsOf(terms))
    return { frames: [frameOf(context, mandate, lineage)] }
  },
})

function rowRead(context: RowKey, lineage: Hex) {
  return questions.budget(enforcerOf(context), ...rowWords(context, digitsOf(lineage)))
}

function read(terms: Digits): DailySpendLimitTerms {
  const mandate = readTrailingMandate(terms, head)
  const limitCents = bigAt(terms, 32, 4)
  if (limitCents > maxBudgetCents) refuse('TermsUnknown', limitCents)
  return { lineage: hexAt(terms, 0, 32), limitCents, mandate }
}
