import { concat, type Hex } from 'viem'
import { boundKind } from './boundKind.ts'
import type { RulesVersion } from './caveatKind.ts'
import { type Digits, digitsOf, hexAt } from './execution/digits.ts'
import { requireConstitutional, requireConstitutionalPlan } from './measure/constitution.ts'
import { close, open, planBefore } from './measure/flows.ts'
import { frameOf } from './measure/frames.ts'
import { centsUp } from './measure/prices.ts'
import { meteredReads, readable, type Unlooked } from './measure/reads.ts'
import { maxBudgetCents, spendFromBudget, spentNow } from './measure/rollingBudget.ts'
import { coverage, otherLineage, widerMandate } from './terms/coverage.ts'
import { encodeMandate, type Mandate, noSettlement, readTrailingMandate } from './terms/mandate.ts'
import { checkedTerms, decodedTerms, packed } from './terms/packed.ts'
import { shortId } from './terms/words.ts'
import { evaluateManagedHooks } from './verdict/evaluateHooks.ts'
import { rowQuestion } from './verdict/questions.ts'
import { askOwn } from './verdict/staticRead.ts'

export type PolicyCageTerms = {
  /** The hash of the constitution. */
  readonly constitution: Hex
  /** The lineage whose spending is counted together. */
  readonly lineage: Hex
  readonly mandate: Mandate
}

const name = 'PolicyCage'
const head = 64

/** Holds every execution to a constitution that the owner enacted. */
export const policyCage = boundKind<PolicyCageTerms>({
  name,
  encode: ({ constitution, lineage, mandate }, rules) =>
    checkedTerms(
      name,
      concat([packed([32, constitution], [32, lineage]), encodeMandate(mandate)]),
      read,
      rules,
    ),
  decode: (terms, rules) => decodedTerms(name, terms, read, rules),
  covers: (parent, child) =>
    coverage(
      otherConstitution(child.constitution, parent.constitution),
      otherLineage(child.lineage, parent.lineage),
      // Shares and drawdown are measured over all assets together.
      widerMandate(child.mandate, parent.mandate, { priced: true, sameAssets: true }),
    ),
  describe: ({ constitution }) =>
    `only what the constitution ${shortId(constitution)} allows: its assets, spending limits, shares and drawdown`,
  account: ({ mandate }) => mandate.account,
  reads: (terms, context) => {
    const decoded = readable(terms, read, context.rules)
    return decoded
      ? [...meteredReads(context, decoded.mandate), ...Object.values(rowReads(context, decoded))]
      : []
  },
  evaluate: (terms, context) =>
    evaluateManagedHooks(context, (before) => {
      const decoded = read(digitsOf(terms), context.rules)
      const { constitution, mandate } = decoded
      const rows = rowReads(context, decoded)
      const plan = planBefore(context, before, mandate, noSettlement)
      requireConstitutionalPlan(context, before, constitution, mandate, plan)
      const opened = open(context, before, decoded.lineage, mandate, plan)
      return (after) => {
        const flows = close(after, mandate, opened)
        const cents = centsUp(flows.outMicros)
        const [word = 0n] = askOwn(after, rows.budget, 1)
        const day = spentNow(word, after.timestamp) + cents
        requireConstitutional(context, after, constitution, mandate, opened, flows, day, () => {
          const [sessionStart = 0n, sessionCents = 0n] = askOwn(after, rows.session, 2)
          const [highWaterCents = 0n] = askOwn(after, rows.highWater, 1)
          return { sessionStart, sessionCents, highWaterCents }
        })
        if (cents !== 0n) spendFromBudget(word, after.timestamp, cents, maxBudgetCents)
      }
    }),
  leaves: (terms, context) => {
    const { lineage, mandate } = read(digitsOf(terms), context.rules)
    return { frames: [frameOf(context, mandate, lineage)] }
  },
})

export function otherConstitution(child: Hex, parent: Hex) {
  return child.toLowerCase() !== parent.toLowerCase() && `constitution: ${child} is not ${parent}`
}

function rowReads(context: Unlooked, { constitution, lineage }: PolicyCageTerms) {
  return {
    budget: rowQuestion(context, 'budget', lineage),
    session: rowQuestion(context, 'session', lineage),
    highWater: rowQuestion(context, 'highWaterCents', lineage, digitsOf(constitution)),
  }
}

function read(terms: Digits, rules?: RulesVersion): PolicyCageTerms {
  const mandate = readTrailingMandate(terms, head, rules)
  return { constitution: hexAt(terms, 0, 32), lineage: hexAt(terms, 32, 32), mandate }
}
