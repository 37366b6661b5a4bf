import {
  type InferenceTier,
  leastOf,
  modelAgreement,
  needsAgreement,
  phaseNumber,
  selectInferenceTier,
  type TokenPrice,
} from '@bardo/core'
import type { ModelPrices } from '../../config/modelPrices.ts'
import { boundDecision } from '../boundDecision.ts'
import { type ReportInference, type Strategy, type View, wait } from '../strategy.ts'
import { askModel, type ModelEndpoint } from './askModel.ts'
import { dataOf, instructions } from './questionOf.ts'
import { readRecommendation } from './readRecommendation.ts'

/** Options of a strategy that uses models. */
export type ModelStrategyOptions = {
  readonly endpoint: ModelEndpoint
  readonly tiers: Readonly<Record<InferenceTier, string>>
  /** Another model for a second opinion. Without one, an action that needs it waits. */
  readonly second: string | undefined
  /** STRATEGY.md. */
  readonly strategyText: string
  readonly prices: ModelPrices
}

/**
 * Lets models decide within the plan. The less life is left, the cheaper the model; with high stakes two
 * models must
 * agree. An answer is bounded like any outside input. Throws without a usable answer.
 */
export function createModelStrategy(options: ModelStrategyOptions): Strategy {
  const { endpoint, tiers, second, strategyText, prices } = options
  const creditor = new URL(endpoint.url).host

  /** Asks a model. Its tokens are reported before its answer is read: an invalid answer costs the same. */
  async function ask(
    model: string,
    tier: InferenceTier,
    price: TokenPrice,
    view: View,
    report?: ReportInference,
  ) {
    const answer = await askModel(endpoint, { model, instructions, data: dataOf(strategyText, view) })
    report?.({ model, tier, ...answer.usage, price, creditor })
    return readRecommendation(model, answer.content)
  }

  return async (view, report) => {
    const stake = stakeOf(view)
    const tier = selectInferenceTier(view.vitality, stake, view.sustainabilityRatio)
    const first = await ask(tiers[tier], tier, prices[tier], view, report)
    const decision = boundDecision(first.decision, view)
    if (decision.type === 'wait' || !needsAgreement(stake)) return decision
    if (second === undefined)
      return wait('the stakes are high, and golem.toml names no second model for a second opinion')
    const other = await ask(second, tier, prices.second, view, report)
    const { approved, agreement } = modelAgreement(first.recommendation, other.recommendation)
    if (!approved || other.decision.type === 'wait')
      return wait(`two models disagree: ${agreement.toFixed(2)}`)
    // Two models that want the same trade in different sizes agree: the smaller size is used.
    return boundDecision({ ...decision, cents: leastOf(decision.cents, other.decision.cents) }, view)
  }
}

/** The share of the total holdings that one execution could move, from 0 to 1; 1 if there are no holdings. */
export function stakeOf({ plan, phase, holdings, leftTodayCents }: View): number {
  const total = holdings.reduce((sum, { cents, vaultCents }) => sum + cents + vaultCents, 0n)
  if (total <= 0n) return 1
  const most = leastOf(plan.sizeCents[phaseNumber(phase)] ?? 0n, leftTodayCents, total)
  return Number((most * 10_000n) / total) / 10_000
}
