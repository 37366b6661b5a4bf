import { concat } from 'viem'
import { boundKind } from './boundKind.ts'
import type { RulesVersion } from './caveatKind.ts'
import { swapClasses } from './execution/actionClass.ts'
import { type Digits, digitsOf, smallAt } from './execution/digits.ts'
import { requireFair } from './measure/fairSpot.ts'
import { close, open, planBefore } from './measure/flows.ts'
import { frameOf } from './measure/frames.ts'
import { meteredReads, readable } from './measure/reads.ts'
import { requireWithinSlippage } from './measure/slippage.ts'
import { above, coverage, widerMandate } from './terms/coverage.ts'
import {
  encodeMandate,
  type Mandate,
  noSettlement,
  readTrailingMandate,
  requireBps,
} from './terms/mandate.ts'
import { checkedTerms, decodedTerms, packed } from './terms/packed.ts'
import { percentOf } from './terms/words.ts'
import { evaluateManagedHooks } from './verdict/evaluateHooks.ts'

export type MaxSlippageTerms = {
  /** Maximum cost of a swap against the price feeds, in basis points. */
  readonly slippageBps: number
  /** Maximum deviation of a pool when liquidity is added, in basis points. */
  readonly spreadBps: number
  readonly mandate: Mandate
}

const name = 'MaxSlippage'
const head = 4

/** A swap brings in at least its value by the price feeds, less the signed slippage. */
export const maxSlippage = boundKind<MaxSlippageTerms>({
  name,
  encode: ({ slippageBps, spreadBps, mandate }, rules) =>
    checkedTerms(
      name,
      concat([packed([2, slippageBps], [2, spreadBps]), encodeMandate(mandate)]),
      read,
      rules,
    ),
  decode: (terms, rules) => decodedTerms(name, terms, read, rules),
  covers: (parent, child) =>
    coverage(
      above('slippage in basis points', child.slippageBps, parent.slippageBps),
      above('spread in basis points', child.spreadBps, parent.spreadBps),
      widerMandate(child.mandate, parent.mandate, { priced: true }),
    ),
  describe: ({ slippageBps, spreadBps }) =>
    `max slippage ${percentOf(slippageBps)} against the price feeds; liquidity only into pools within ${percentOf(spreadBps)} of them`,
  account: ({ mandate }) => mandate.account,
  reads: (terms, context) => {
    const decoded = readable(terms, read, context.rules)
    return decoded ? meteredReads(context, decoded.mandate) : []
  },
  evaluate: (terms, context) =>
    evaluateManagedHooks(context, (before) => {
      const { slippageBps, spreadBps, mandate } = read(digitsOf(terms), context.rules)
      const plan = planBefore(context, before, mandate, noSettlement)
      const { pool } = plan
      if (pool) requireFair(before, mandate, pool, spreadBps)
      const opened = open(context, before, context.delegationHash, mandate, plan)
      return (after) => {
        const { outMicros, inMicros } = close(after, mandate, opened)
        if ((plan.classes & swapClasses) !== 0) requireWithinSlippage(outMicros, inMicros, slippageBps)
        // If the pool left the fair price while liquidity was added, its price was manipulated before.
        if (pool) requireFair(after, mandate, pool, spreadBps)
      }
    }),
  leaves: (terms, context) => ({
    frames: [frameOf(context, read(digitsOf(terms), context.rules).mandate, context.delegationHash)],
  }),
})

function read(terms: Digits, rules?: RulesVersion): MaxSlippageTerms {
  const mandate = readTrailingMandate(terms, head, rules)
  const [slippageBps, spreadBps] = [smallAt(terms, 0, 2), smallAt(terms, 2, 2)]
  requireBps(slippageBps)
  requireBps(spreadBps)
  return { slippageBps, spreadBps, mandate }
}
