import { concat, type Hex } from 'viem'
import { formatShortDollars } from '../format/money.ts'
import { isoTime } from '../format/time.ts'
import { boundKind } from './boundKind.ts'
import type { RulesVersion } from './caveatKind.ts'
import { bigAt, type Digits, digitsOf, hexAt, smallAt } from './execution/digits.ts'
import { requireAllowance } from './measure/allowance.ts'
import { close, open, planBefore } from './measure/flows.ts'
import { frameOf } from './measure/frames.ts'
import { requireWithin } from './measure/lifetime.ts'
import { centsUp } from './measure/prices.ts'
import { meteredReads, readable } from './measure/reads.ts'
import { wordsIn } from './measure/used.ts'
import { above, below, coverage, type Excess, otherLineage, widerMandate } from './terms/coverage.ts'
import { encodeMandate, type Mandate, noSettlement, readTrailingMandate } from './terms/mandate.ts'
import { checkedTerms, decodedTerms, packed } from './terms/packed.ts'
import { evaluateManagedHooks } from './verdict/evaluateHooks.ts'
import { type RowKey, rowQuestion } from './verdict/questions.ts'
import { askOwn } from './verdict/staticRead.ts'

/** The lifetime budget of a Replicant, and its lifespan. */
export type LifeBudget = {
  readonly allowedCents: bigint
  /** Unix seconds, inclusive. */
  readonly born: number
  /** `born + lifespanSeconds` is inclusive. */
  readonly lifespanSeconds: number
}

export type ReplicantBudgetTerms = LifeBudget & { readonly lineage: Hex; readonly mandate: Mandate }

const name = 'ReplicantBudget'
const head = 46

/** Limits what a lineage spends over its life, and how long it lives. */
export const replicantBudget = boundKind<ReplicantBudgetTerms>({
  name,
  encode: ({ lineage, allowedCents, born, lifespanSeconds, mandate }, rules) =>
    checkedTerms(
      name,
      concat([
        packed([32, lineage], [5, allowedCents], [5, born], [4, lifespanSeconds]),
        encodeMandate(mandate),
      ]),
      read,
      rules,
    ),
  decode: (terms, rules) => decodedTerms(name, terms, read, rules),
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
    const decoded = readable(terms, read, context.rules)
    return decoded ? [...meteredReads(context, decoded.mandate), rowRead(context, decoded.lineage)] : []
  },
  evaluate: (terms, context) =>
    evaluateManagedHooks(context, (before) => {
      const { lineage, allowedCents, born, lifespanSeconds, mandate } = read(digitsOf(terms), context.rules)
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
    const { lineage, mandate } = read(digitsOf(terms), context.rules)
    return { frames: [frameOf(context, mandate, lineage)] }
  },
})

/** The last second of the life. */
export function lastSecond({ born, lifespanSeconds }: LifeBudget): bigint {
  return BigInt(born + lifespanSeconds)
}

/** A lifetime budget, in words. */
export function lifeOf({ allowedCents, born, lifespanSeconds }: LifeBudget): string {
  return `at most ${formatShortDollars(allowedCents)} in total, from ${isoTime(born)} to ${isoTime(born + lifespanSeconds)}`
}

/** Why a child's life or allowance exceeds the parent's. */
export function widerLife(child: LifeBudget, parent: LifeBudget): Excess {
  return (
    above('lifetime cents', child.allowedCents, parent.allowedCents) ||
    below('born', child.born, parent.born) ||
    above('last second', child.born + child.lifespanSeconds, parent.born + parent.lifespanSeconds)
  )
}

function rowRead(context: RowKey, lineage: Hex) {
  return rowQuestion(context, 'spentCents', lineage)
}

function read(terms: Digits, rules?: RulesVersion): ReplicantBudgetTerms {
  const mandate = readTrailingMandate(terms, head, rules)
  return {
    lineage: hexAt(terms, 0, 32),
    allowedCents: bigAt(terms, 32, 5),
    born: smallAt(terms, 37, 5),
    lifespanSeconds: smallAt(terms, 42, 4),
    mandate,
  }
}
