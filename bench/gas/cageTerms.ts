import { type CageTerms, classBits, type Mandate, methodBits } from '@bardo/core'
import type { Bounds } from './bounds.ts'

const allOf = (bits: Readonly<Record<string, number>>) =>
  Object.values(bits).reduce((set, bit) => set | bit, 0)
const everyPair = 2n ** 64n - 1n

/** Terms of the Cage without optional sections. */
export function cageTermsOf(bounds: Bounds, mandate: Mandate): CageTerms {
  const { golem, start, end, graceSeconds, mood, restrictedClasses } = bounds
  const { dayCents, slippageBps, cadenceSeconds, dollarsAtOnce: size } = bounds
  return {
    version: 2,
    golem,
    start,
    end,
    classes: allOf(classBits),
    methods: allOf(methodBits),
    pairs: everyPair,
    graceSeconds,
    mood,
    restricted: restrictedClasses,
    dayCents,
    slippageBps,
    spreadBps: slippageBps,
    cadenceSeconds,
    calls: 0,
    dollarsByPhase: [size, size, size, size, size],
    settlement: 0,
    mandate,
  }
}
