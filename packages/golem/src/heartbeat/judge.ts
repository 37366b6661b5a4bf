import { economicClock, type MetabolicState, metabolicState, survivalScore, vitality } from '@bardo/core'
import type { Senses } from './tickPorts.ts'

/** How much life is left. */
export type Judgement = { readonly vitality: number; readonly survivalScore: number }

/** Step 2: what the day brings and costs, and how long the rest lasts. */
export function account({ economy }: Senses): MetabolicState {
  return metabolicState(economy.revenueCents, economy.costs, economy.remainingCents)
}

/** Step 3: the least of the three clocks. */
export function judge(
  { projectedLifespanHours }: MetabolicState,
  { epistemic = 1, stochastic = 1 }: Senses,
): Judgement {
  const least = vitality({ economic: economicClock(projectedLifespanHours), epistemic, stochastic })
  return { vitality: least, survivalScore: survivalScore(least) }
}
