import type { Hex } from 'viem'

/** The limits of every policy of this benchmark, as far as its enforcers support them. */
export type Bounds = {
  readonly golem: Hex
  readonly start: number
  readonly end: number
  readonly graceSeconds: number
  readonly mood: { readonly minPleasure: number; readonly maxArousal: number; readonly minDominance: number }
  readonly restrictedClasses: number
  readonly dayCents: bigint
  readonly slippageBps: number
  readonly cadenceSeconds: number
  readonly dollarsAtOnce: number
}

export function boundsOf(golem: Hex, now: number): Bounds {
  return {
    golem,
    start: now - 60,
    end: now + 30 * 86_400,
    graceSeconds: 86_400,
    mood: { minPleasure: -50, maxArousal: 80, minDominance: -50 },
    // Swaps and new liquidity need a calm mood.
    restrictedClasses: 0b101,
    dayCents: 100_000_00n,
    slippageBps: 100,
    cadenceSeconds: 1,
    dollarsAtOnce: 1_000,
  }
}
