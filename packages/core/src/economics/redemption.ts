import { type Phase, phaseNumber } from '../phase/phase.ts'

/** What share of the daily cap may be drawn, in thousandths, by phase. Origin: DESIGN §5: 1, 1, 0.5, 0.1, 0. */
export const redemptionPerMille = [1_000n, 1_000n, 500n, 100n, 0n] as const

/** What may still be drawn today, in the token's units: the phase's share of the cap, less what was drawn. */
export function redeemable(dailyCap: bigint, drawnToday: bigint, phase: Phase): bigint {
  const share = redemptionPerMille[phaseNumber(phase)] ?? 0n
  const left = (dailyCap * share) / 1_000n - (drawnToday > 0n ? drawnToday : 0n)
  return left > 0n ? left : 0n
}
