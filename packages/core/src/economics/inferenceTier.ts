/** The strength of the model: T0 the cheapest, T2 the strongest. */
export type InferenceTier = 'T0' | 'T1' | 'T2'

/** Below this vitality only critical tasks get more than T0. */
const frugalVitality = 0.3
/** Above this, a task is critical even for a Golem near its end. */
const frugalCriticality = 0.9
/** Below this vitality, or if revenue does not cover costs, T2 is not available. */
const cautiousVitality = 0.5
/** Above this, a task gets T1 in that case. */
const cautiousCriticality = 0.7
/** At this ratio revenue covers costs. */
const sustainedRatio = 1
/** Above this criticality a task has high stakes: it gets T2, and a second model must agree. */
export const highStakes = 0.8
/** Above this, an ordinary task gets T1. */
const ordinaryCriticality = 0.4

/**
 * The model tier for a task, by remaining life and criticality. NaN selects the cheapest tier.
 *
 * @example
 * selectInferenceTier(0.9, 0.5, 1.2) // 'T1'
 */
export function selectInferenceTier(
  vitality: number,
  criticality: number,
  sustainabilityRatio: number,
): InferenceTier {
  if (!(vitality >= frugalVitality)) return criticality > frugalCriticality ? 'T1' : 'T0'
  if (vitality < cautiousVitality || !(sustainabilityRatio >= sustainedRatio)) {
    return criticality > cautiousCriticality ? 'T1' : 'T0'
  }
  if (criticality > highStakes) return 'T2'
  return criticality > ordinaryCriticality ? 'T1' : 'T0'
}

/**
 * Whether two models must agree before the Golem acts.
 *
 * @example
 * needsAgreement(0.9) // true
 */
export function needsAgreement(criticality: number): boolean {
  return !(criticality <= highStakes)
}
