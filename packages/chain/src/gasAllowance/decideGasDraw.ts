import { type Phase, redeemable } from '@bardo/core'

/** The inputs of a draw decision, in wei. */
export type GasNeed = {
  readonly balance: bigint
  /** Draw only below this balance. */
  readonly floor: bigint
  /** Draw up to this balance. */
  readonly ceiling: bigint
  readonly periodCap: bigint
  readonly drawnInPeriod: bigint
  readonly phase: Phase
}

/** How much gas to draw now: up to the ceiling, limited by the phase's share of the cap. */
export function decideGasDraw(need: GasNeed): bigint {
  const { balance, floor, ceiling, periodCap, drawnInPeriod, phase } = need
  if (balance >= floor || balance >= ceiling) return 0n
  const missing = ceiling - balance
  const left = redeemable(periodCap, drawnInPeriod, phase)
  if (missing < left) return missing
  return left
}
