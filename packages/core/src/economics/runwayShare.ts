import { type Phase, phaseNumber } from '../phase/phase.ts'

/** The share of the daily cap that may be drawn, in thousandths, by phase: less in each later phase. */
export const redemptionPerMille = [1_000n, 1_000n, 500n, 100n, 0n] as const

/**
 * The amount that may still be drawn today, in token units: the phase's share of the cap, less what was
 * drawn.
 *
 * @example
 * redeemable(1_000n, 450n, 'conservation') // 50n
 */
export function redeemable(dailyCap: bigint, drawnToday: bigint, phase: Phase): bigint {
  const share = redemptionPerMille[phaseNumber(phase)] ?? 0n
  const left = (dailyCap * share) / 1_000n - (drawnToday > 0n ? drawnToday : 0n)
  return left > 0n ? left : 0n
}
