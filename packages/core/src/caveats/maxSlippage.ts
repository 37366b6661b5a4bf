import { concat } from 'viem'
import { boundKind } from './boundKind.ts'
import { swapClasses } from './execution/actionClass.ts'
import { type Digits, digitsOf, smallAt } from './execution/digits.ts'
import { requireFair } from './measure/fairSpot.ts'
import { close, open, planBefore } from './measure/flows.ts'
import { frameOf } from './measure/frames.ts'
import { meteredReads, readable } from './measure/gather.ts'
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
import { judge } from './verdict/judge.ts'

export type MaxSlippageTerms = {
  /** Basis points a swap may cost, by the feeds. */
  readonly slippageBps: number
  /** Basis points a pool may be off when liquidity is added. */
  readonly spreadBps: number
  readonly mandate: Mandate
}

const name = 'MaxSlippage'
const head = 4

/** A swap brings in at least its value, by the feeds, less so many basis points. */
export const maxSlippage = boundKind<MaxSlippageTerms>({
  name,
  encode: ({ slippageBps, spreadBps, mandate }) =>
    checkedTerms(name, concat([packed([2, slippageBps], [2, spreadBps]), encodeMandate(mandate)]), read),
  decode: (terms) => decodedTerms(name, terms, read),
  covers: (parent, child) =>
    coverage(
      above('slippage in basis points', child.slippageBps, parent.slippageBps),
      above('spread in basis points', child.spreadBps, parent.spreadBps),
      widerMandate(child.mandate, parent.mandate, { priced: true }),
    ),
  describe: ({ slippageBps, spreadBps }) =>
    `swaps cost at most ${percentOf(slippageBps)} by the feeds, and liquidity goes only into a pool that is at most ${percentOf(spreadBps)} off them`,
  account: ({ mandate }) => mandate.account,
  reads: (terms, context) => {
    const known = readable(terms, read)
    return known ? meteredReads(context, known.mandate) : []
  },
  evaluate: (terms, context) =>
    judge(context, (before) => {
      const { slippageBps, spreadBps, mandate } = read(digitsOf(terms))
      const plan = planBefore(context, before, mandate, noSettlement)
      const { pool } = plan
      if (pool) requireFair(before, mandate, pool, spreadBps)
      const opened = open(context, before, context.delegationHash, mandate, plan)
      return (after) => {
        const { outMicros, inMicros } = close(after, mandate, opened)
        if ((plan.classes & swapClasses) !== 0) requireWithinSlippage(outMicros, inMicros, slippageBps)
        // A pool that left the fair price while the liquidity went in was not where it seemed to be.
        if (pool) requireFair(after, mandate, pool, spreadBps)
      }
    }),
  leaves: (terms, context) => ({
    frames: [frameOf(context, read(digitsOf(terms)).mandate, context.delegationHash)],
  }),
})

function read(terms: Digits): MaxSlippageTerms {
  const mandate = readTrailingMandate(terms, head)
  const [slippageBps, spreadBps] = [smallAt(terms, 0, 2), smallAt(terms, 2, 2)]
  requireBps(slippageBps)
  requireBps(spreadBps)
  return { slippageBps, spreadBps, mandate }
}
