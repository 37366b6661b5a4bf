import { economicClock, type MetabolicState, metabolicState, survivalScore, vitality } from '@bardo/core'
import type { Senses } from '../snapshot/tickPorts.ts'

/** The vitality of a Golem and the survival score derived from it. */
export type VitalityAssessment = { readonly vitality: number; readonly survivalScore: number }

/** Step 2: the daily revenue and cost, and how long the remaining budget lasts. */
export function account({ economy }: Senses): MetabolicState {
  return metabolicState(economy.revenueCents, economy.costs, economy.remainingCents)
}

/** Step 3: the vitality, which is the lowest of the three clocks. */
export function assessVitality(
  { projectedLifespanHours }: MetabolicState,
  { epistemic = 1, stochastic = 1 }: Senses,
): VitalityAssessment {
  const least = vitality({ economic: economicClock(projectedLifespanHours), epistemic, stochastic })
  return { vitality: least, survivalScore: survivalScore(least) }
}
