/** A seeded random source: the same seed gives the same cases. */
export type Random = {
  /** A whole number below `limit`. */
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  /** True with this probability, from 0 to 1. */
  chance(share: number): boolean
}

/** Mulberry32: small, and good enough to choose test cases. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (limit) => Math.floor(next() * limit),
    pick<T>(items: readonly T[]): T {
      return items[Math.floor(next() * items.length)] as T
    },
    chance: (share) => next() < share,
  }
}
