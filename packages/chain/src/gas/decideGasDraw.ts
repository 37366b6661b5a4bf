import { type Phase, redeemable } from '@bardo/core'

/** What a draw is decided from, in wei. */
export type GasNeed = {
  readonly balance: bigint
  /** Below this, gas is drawn. */
  readonly floor: bigint
  /** Up to this. */
  readonly ceiling: bigint
  readonly periodCap: bigint
  readonly drawnInPeriod: bigint
  readonly phase: Phase
}

/** How much gas to draw now: what is missing to the ceiling, as far as the phase's share of the cap goes. */
export function decideGasDraw(need: GasNeed): bigint {
  const { balance, floor, ceiling, periodCap, drawnInPeriod, phase } = need
  if (balance >= floor || balance >= ceiling) return 0n
  const missing = ceiling - balance
  const left = redeemable(periodCap, drawnInPeriod, phase)
  if (missing < left) return missing
  return left
}
