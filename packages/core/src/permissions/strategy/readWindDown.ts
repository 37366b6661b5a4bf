import { type PlanPair, pairKey } from '../permissionPlan.ts'
import { explainBetter } from './readLiquidity.ts'
import type { Ambiguity } from './readSentence.ts'
import type { Grant, Settled } from './settleAsks.ts'

const windingDown =
  /\b(?:wind(?:s|ing)? down|unwind(?:s|ing)?|in (?:its )?(?:declining|conservation)|when it declines)\b/i

/**
 * The sales that the strategy asks for only when the Golem winds down: "When winding down, sell WETH to USDC." The chain
 * allows them at any time, and the Golem makes them in Conservation and Declining only.
 */
export function readWindDown({ grants }: Settled, ambiguities: Ambiguity[]): readonly PlanPair[] {
  const isLate = ({ from }: Grant) => windingDown.test(from.sentence)
  const late = grants.filter((grant) => grant.pairs.length > 0 && isLate(grant))
  const always = new Set(
    grants.filter((grant) => !isLate(grant)).flatMap(({ pairs }) => pairs.map((pair) => pairKey(pair))),
  )
  const question = 'The Golem sells only when it winds down; the chain would allow the sale before.'
  explainBetter(
    ambiguities,
    late.map(({ from }) => ({ ...from, question, outcome: 'notSigned' })),
  )
  const pairs = late.flatMap((grant) => grant.pairs).filter((pair) => !always.has(pairKey(pair)))
  return [...new Map(pairs.map((pair) => [pairKey(pair), pair])).values()]
}
