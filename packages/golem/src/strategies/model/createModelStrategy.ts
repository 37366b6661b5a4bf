import {
  type InferenceTier,
  leastOf,
  modelAgreement,
  needsAgreement,
  phaseNumber,
  selectInferenceTier,
} from '@bardo/core'
import { boundDecision } from '../boundDecision.ts'
import { type Strategy, type View, wait } from '../strategy.ts'
import { askModel, type ModelEndpoint } from './askModel.ts'
import { dataOf, instructions } from './questionOf.ts'
import { readRecommendation } from './readRecommendation.ts'

/** What a model-driven strategy is made of. */
export type ModelStrategyOptions = {
  readonly endpoint: ModelEndpoint
  readonly tiers: Readonly<Record<InferenceTier, string>>
  /** Another model than those, for a second opinion. */
  readonly second: string
  /** STRATEGY.md. */
  readonly strategyText: string
  /** Told of every answer, to be paid for. */
  readonly onInference?: (inference: { readonly model: string; readonly tokens: number }) => void
}

/**
 * Lets models decide, within the plan. The less life is left the cheaper the model; where much is at stake two must
 * agree. An answer is bounded like any other stranger's word, and without a usable one the strategy throws.
 */
export function createModelStrategy(options: ModelStrategyOptions): Strategy {
  const { endpoint, tiers, second, strategyText, onInference } = options

  async function ask(model: string, view: View) {
    const answer = await askModel(endpoint, { model, instructions, data: dataOf(strategyText, view) })
    onInference?.({ model, tokens: answer.tokens })
    return readRecommendation(model, answer.content)
  }

  return async (view) => {
    const stake = stakeOf(view)
    const first = await ask(tiers[selectInferenceTier(view.vitality, stake, view.sustainabilityRatio)], view)
    const decision = boundDecision(first.decision, view)
    if (decision.is === 'wait' || !needsAgreement(stake)) return decision
    const other = await ask(second, view)
    const { approved, agreement } = modelAgreement(first.recommendation, other.recommendation)
    if (!approved || other.decision.is === 'wait') return wait(`two models disagree: ${agreement.toFixed(2)}`)
    // Two that want the same trade in different sizes still count as agreeing: the smaller one is what both want.
    return boundDecision({ ...decision, cents: leastOf(decision.cents, other.decision.cents) }, view)
  }
}

/** How much of all there is one execution could move at most, from 0 to 1. Of nothing known, everything. */
export function stakeOf({ plan, phase, holdings, leftTodayCents }: View): number {
  const total = holdings.reduce((sum, { cents, vaultCents }) => sum + cents + vaultCents, 0n)
  if (total <= 0n) return 1
  const most = leastOf(plan.sizeCents[phaseNumber(phase)] ?? 0n, leftTodayCents, total)
  return Number((most * 10_000n) / total) / 10_000
}
