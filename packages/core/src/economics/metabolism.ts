import { BardoError } from '../errors/BardoError.ts'

/** What a day costs, in cents. */
export type DailyCosts = {
  readonly inference: bigint
  readonly gas: bigint
  readonly compute: bigint
  readonly data: bigint
}

/** A Golem's economy. Money is in cents; the ratio and the hours are for people and thresholds. */
export type MetabolicState = {
  /** Revenue of a day ÷ cost of a day; Infinity where nothing costs anything. */
  readonly sustainabilityRatio: number
  readonly dailyRevenueCents: bigint
  readonly dailyCostCents: bigint
  readonly remainingCents: bigint
  readonly projectedLifespanHours: number
  readonly condition: 'thriving' | 'sustaining' | 'declining' | 'dying'
}

/** Above this a Golem thrives on its own. Origin: spec 000 §5.1. */
const thrivingRatio = 2
/** Below this it lives on its budget. Origin: spec 000 §5.1. */
const sustainingRatio = 1
/** Below this it dies fast. Origin: spec 000 §5.1. */
const dyingRatio = 0.5
const hoursPerDay = 24

/** The economy of a day: what comes in, what goes out, and how long the rest lasts. */
export function metabolicState(
  dailyRevenueCents: bigint,
  costs: DailyCosts,
  remainingCents: bigint,
): MetabolicState {
  for (const [name, cents] of Object.entries({ dailyRevenueCents, ...costs })) {
    if (cents >= 0n) continue
    throw new BardoError('Revenue and costs are never below zero.', {
      code: 'INVALID_INPUT',
      details: [`${name} is ${cents} cents`],
    })
  }
  const dailyCostCents = costs.inference + costs.gas + costs.compute + costs.data
  const sustainabilityRatio =
    dailyCostCents > 0n ? ratio(dailyRevenueCents, dailyCostCents) : Number.POSITIVE_INFINITY
  return {
    sustainabilityRatio,
    dailyRevenueCents,
    dailyCostCents,
    remainingCents,
    projectedLifespanHours: projectedLifespanHours(remainingCents, dailyCostCents),
    condition: conditionOf(sustainabilityRatio),
  }
}

/** Remaining budget ÷ daily cost × 24 h, never below 0. Origin: DESIGN §5a (the spec's formula counts inference twice). */
export function projectedLifespanHours(remainingCents: bigint, dailyCostCents: bigint): number {
  if (remainingCents <= 0n) return 0
  return dailyCostCents > 0n ? ratio(remainingCents, dailyCostCents) * hoursPerDay : Number.POSITIVE_INFINITY
}

function conditionOf(ratio: number): MetabolicState['condition'] {
  if (ratio > thrivingRatio) return 'thriving'
  if (ratio >= sustainingRatio) return 'sustaining'
  return ratio >= dyingRatio ? 'declining' : 'dying'
}

// Divided as whole numbers first: two huge amounts must not both become Infinity.
function ratio(a: bigint, b: bigint): number {
  return Number(a / b) + Number(a % b) / Number(b)
}
