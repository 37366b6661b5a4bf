import { phaseNumber } from '@bardo/core'
import { boundDecision } from './boundDecision.ts'
import { keepConstitution } from './keepConstitution.ts'
import { type Strategy, wait } from './strategy.ts'

/** Buys at a fixed interval: the signed size of the first pair with enough balance. Uses no model. */
export const dcaStrategy: Strategy = async (view) => {
  const { plan, phase } = view
  if (plan.pairs.length === 0) return wait('the plan allows no swap')
  if (plan.cadenceSeconds === 0) return wait('the plan has no interval to buy at')
  const cents = plan.sizeCents[phaseNumber(phase)] ?? 0n
  const because = `every ${plan.cadenceSeconds} seconds`
  const decisions = plan.pairs.map(({ from, to }) =>
    keepConstitution(boundDecision({ type: 'swap', from, to, cents, because }, view), view),
  )
  return decisions.find(({ type }) => type === 'swap') ?? decisions[0] ?? wait('nothing to buy')
}
