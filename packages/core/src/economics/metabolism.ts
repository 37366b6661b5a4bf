import { BardoError } from '../errors/BardoError.ts'

/** The costs of one day, in cents. */
export type DailyCosts = {
  readonly inference: bigint
  readonly gas: bigint
  readonly compute: bigint
  readonly data: bigint
}

/** A Golem's economy. Amounts are in cents; ratio and hours are for display and thresholds. */
export type MetabolicState = {
  /** Daily revenue ÷ daily cost; Infinity if there are no costs. */
  readonly sustainabilityRatio: number
  readonly dailyRevenueCents: bigint
  readonly dailyCostCents: bigint
  readonly remainingCents: bigint
  readonly projectedLifespanHours: number
  readonly condition: 'thriving' | 'sustaining' | 'declining' | 'dying'
}

/** Above this ratio a Golem is thriving: it earns more than twice its costs. */
const thrivingRatio = 2
/** Below this ratio it spends its budget. */
const sustainingRatio = 1
/** Below this ratio it is dying: it earns less than half of its costs. */
const dyingRatio = 0.5
const hoursPerDay = 24

/**
 * The economy of a day: revenue, costs, and how long the budget lasts.
 *
 * @example
 * metabolicState(100n, { inference: 50n, gas: 20n, compute: 20n, data: 10n }, 1_000n).condition //
 * 'sustaining'
 */
export function metabolicState(
  dailyRevenueCents: bigint,
  costs: DailyCosts,
  remainingCents: bigint,
): MetabolicState {
  for (const [name, cents] of Object.entries({ dailyRevenueCents, ...costs })) {
    if (cents >= 0n) continue
    throw new BardoError('Revenue and costs must not be negative.', {
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

/**
 * Remaining budget ÷ daily cost × 24 h, never below 0. Inference is counted once, as part of the daily cost.
 *
 * @example
 * projectedLifespanHours(1_000n, 100n) // 240
 */
export function projectedLifespanHours(remainingCents: bigint, dailyCostCents: bigint): number {
  if (remainingCents <= 0n) return 0
  return dailyCostCents > 0n ? ratio(remainingCents, dailyCostCents) * hoursPerDay : Number.POSITIVE_INFINITY
}

function conditionOf(ratio: number): MetabolicState['condition'] {
  if (ratio > thrivingRatio) return 'thriving'
  if (ratio >= sustainingRatio) return 'sustaining'
  return ratio >= dyingRatio ? 'declining' : 'dying'
}

// Divide as integers first: two huge amounts must not both become Infinity.
function ratio(a: bigint, b: bigint): number {
  return Number(a / b) + Number(a % b) / Number(b)
}
