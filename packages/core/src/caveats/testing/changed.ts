import type { Dice } from './cases.ts'

/** Terms with one number changed, one list entry removed, or unchanged. The version stays. */
export function changed(dice: Dice, terms: unknown): unknown {
  if (typeof terms === 'number') return Math.max(0, terms + dice.pick(-1, 1, -50, 50))
  if (typeof terms === 'bigint')
    return terms + BigInt(dice.pick(-1, 1)) < 0n ? 0n : terms + BigInt(dice.pick(-1, 1, 0))
  if (typeof terms === 'string' || dice.once(8)) return terms
  if (Array.isArray(terms)) {
    const place = dice.below(Math.max(terms.length, 1))
    const isList = terms.length !== 5 || typeof terms[0] !== 'number'
    return isList && dice.once(2)
      ? terms.filter((_, index) => index !== place)
      : terms.map((item, index) => (index === place ? changed(dice, item) : item))
  }
  const entries = Object.entries(terms as Record<string, unknown>)
  const place = dice.below(entries.length)
  if (entries[place]?.[0] === 'version') return terms
  return Object.fromEntries(
    entries.map(([key, value], index) => [key, index === place ? changed(dice, value) : value]),
  )
}
