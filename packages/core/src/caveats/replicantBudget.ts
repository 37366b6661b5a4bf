import { concat, type Hex } from 'viem'
import { boundKind } from './boundKind.ts'
import { bigAt, type Digits, digitsOf, hexAt, smallAt } from './execution/digits.ts'
import { requireAllowance } from './measure/allowance.ts'
import { close, open, planBefore } from './measure/flows.ts'
import { frameOf } from './measure/frames.ts'
import { enforcerOf, meteredReads, type RowKey, readable, rowWords } from './measure/gather.ts'
import { requireWithin } from './measure/lifetime.ts'
import { centsUp } from './measure/prices.ts'
import { wordsIn } from './measure/used.ts'
import { above, below, coverage, type Excess, otherLineage, widerMandate } from './terms/coverage.ts'
import { encodeMandate, type Mandate, noSettlement, readTrailingMandate } from './terms/mandate.ts'
import { checkedTerms, decodedTerms, packed } from './terms/packed.ts'
import { dollarsOf, isoTime } from './terms/words.ts'
import { askOwn } from './verdict/ask.ts'
import { judge } from './verdict/judge.ts'
import { questions } from './verdict/questions.ts'

/** What a Replicant may spend in its whole life, and how long that is. */
export type LifeBudget = {
  readonly allowedCents: bigint
  /** Unix seconds, inclusive. */
  readonly born: number
  /** The last second is inclusive. */
  readonly lifespanSeconds: number
}

export type ReplicantBudgetTerms = LifeBudget & { readonly lineage: Hex; readonly mandate: Mandate }

const name = 'ReplicantBudget'
const head = 46

/** A lineage spends at most so much in its whole life, and lives so long. */
export const replicantBudget = boundKind<ReplicantBudgetTerms>({
  name,
  encode: ({ lineage, allowedCents, born, lifespanSeconds, mandate }) =>
    checkedTerms(
      name,
      concat([
        packed([32, lineage], [5, allowedCents], [5, born], [4, lifespanSeconds]),
        encodeMandate(mandate),
      ]),
      read,
    ),
  decode: (terms) => decodedTerms(name, terms, read),
  covers: (parent, child) =>
    coverage(
      otherLineage(child.lineage, parent.lineage),
      widerLife(child, parent),
      widerMandate(child.mandate, parent.mandate, { priced: true }),
    ),
  describe: (terms) => lifeOf(terms),
  account: ({ mandate }) => mandate.account,
  window: (terms) => ({ last: lastSecond(terms) }),
  usageReads: ({ lineage }, row) => [rowRead(row, lineage)],
  usage: ({ lineage, allowedCents }, row, state) => {
    const [spent] = wordsIn(state, rowRead(row, lineage), 1) ?? []
    return spent === undefined ? [] : [{ spent, limit: allowedCents, unit: 'usdCents', renews: false }]
  },
  reads: (terms, context) => {
    const known = readable(terms, read)
    return known ? [...meteredReads(context, known.mandate), rowRead(context, known.lineage)] : []
  },
  evaluate: (terms, context) =>
    judge(context, (before) => {
      const { lineage, allowedCents, born, lifespanSeconds, mandate } = read(digitsOf(terms))
      requireWithin(before, born, born + lifespanSeconds)
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
        const [spent = 0n] = askOwn(after, rowRead(context, lineage), 1)
        requireAllowance(spent, cents, allowedCents)
      }
    }),
  leaves: (terms, context) => {
    const { lineage, mandate } = read(digitsOf(terms))
    return { frames: [frameOf(context, mandate, lineage)] }
  },
})

/** When a life ends. */
export function lastSecond({ born, lifespanSeconds }: LifeBudget): bigint {
  return BigInt(born + lifespanSeconds)
}

/** A budget for life, in words. */
export function lifeOf({ allowedCents, born, lifespanSeconds }: LifeBudget): string {
  return `at most ${dollarsOf(allowedCents)} ever, from ${isoTime(born)} to ${isoTime(born + lifespanSeconds)}`
}

/** A life or an allowance beyond the parent's. */
export function widerLife(child: LifeBudget, parent: LifeBudget): Excess {
  return (
    above('cents ever', child.allowedCents, parent.allowedCents) ||
    below('born', child.born, parent.born) ||
    above('last second', child.born + child.lifespanSeconds, parent.born + parent.lifespanSeconds)
  )
}

function rowRead(context: RowKey, lineage: Hex) {
  return questions.spentCents(enforcerOf(context), ...rowWords(context, digitsOf(lineage)))
}

function read(terms: Digits): ReplicantBudgetTerms {
  const mandate = readTrailingMandate(terms, head)
  return {
    lineage: hexAt(terms, 0, 32),
    allowedCents: bigAt(terms, 32, 5),
    born: smallAt(terms, 37, 5),
    lifespanSeconds: smallAt(terms, 42, 4),
    mandate,
  }
}
