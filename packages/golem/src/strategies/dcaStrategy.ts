import { phaseNumber } from '@bardo/core'
import { boundDecision } from './boundDecision.ts'
import { type Strategy, wait } from './strategy.ts'

/** Buys by the clock: at each signed interval the signed size, of the first pair that there is money for. No model. */
export const dcaStrategy: Strategy = async (view) => {
  const { plan, phase } = view
  if (plan.pairs.length === 0) return wait('the plan allows no swap')
  if (plan.cadenceSeconds === 0) return wait('the plan has no rhythm to buy by')
  const cents = plan.sizeCents[phaseNumber(phase)] ?? 0n
  const because = `every ${plan.cadenceSeconds} seconds`
  const decisions = plan.pairs.map(({ from, to }) =>
    boundDecision({ is: 'swap', from, to, cents, because }, view),
  )
  return decisions.find(({ is }) => is === 'swap') ?? decisions[0] ?? wait('nothing to buy')
}
