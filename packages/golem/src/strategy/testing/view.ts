import { compileStrategy } from '@bardo/core'
import type { View } from '../strategy.ts'

/** The view of a healthy Golem with a plan compiled from `text`, $1,000 and half a WETH. */
export function viewOf(text: string, change: Partial<View> = {}): View {
  const now = 1_800_000_000
  const { plan } = compileStrategy(text, { now: BigInt(now) })
  return {
    now: now + 60,
    phase: 'thriving',
    vitality: 1,
    sustainabilityRatio: 2,
    plan,
    holdings: [
      { symbol: 'USDC', cents: 100_000n, vaultCents: 0n },
      { symbol: 'WETH', cents: 150_000n, vaultCents: 0n },
    ],
    reserveCents: 0n,
    leftTodayCents: plan.dayCents,
    lastExecutionAt: undefined,
    ...change,
  }
}
