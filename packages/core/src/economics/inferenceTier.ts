/** How strong a model is asked: T0 the cheapest, T2 the strongest. */
export type InferenceTier = 'T0' | 'T1' | 'T2'

/** Below this vitality only what is critical gets more than T0. Origin: spec 000 §5.2. */
const frugalVitality = 0.3
/** What is critical for a Golem that is nearly out of life. Origin: spec 000 §5.2. */
const frugalCriticality = 0.9
/** Below this vitality, or unsustained, T2 is out of reach. Origin: spec 000 §5.2. */
const cautiousVitality = 0.5
/** What is worth T1 then. Origin: spec 000 §5.2. */
const cautiousCriticality = 0.7
/** Revenue covers costs. Origin: spec 000 §5.2. */
const sustainedRatio = 1
/** High stakes: T2, and a second model is asked. Origin: spec 000 §5.2, DESIGN §5a "high stakes". */
export const highStakes = 0.8
/** Ordinary work. Origin: spec 000 §5.2. */
const ordinaryCriticality = 0.4

/** The model for a task, by how much life is left and what is at stake. Numbers that are none get the cheapest. */
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

/** Whether two models must agree before anything is done. */
export function needsAgreement(criticality: number): boolean {
  return !(criticality <= highStakes)
}
