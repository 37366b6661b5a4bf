import { expect, it } from 'vitest'
import { mostInADay } from './mostInADay.ts'

const bounds = { dayCents: 2_000n, sizeCents: 1_000n, cadenceSeconds: 86_400, calls: 0 }

it.each<[string, Partial<Parameters<typeof mostInADay>[0]>, bigint]>([
  ['one execution a day', {}, 1_000n],
  ['the daily limit if there is no cadence', { cadenceSeconds: 0 }, 2_000n],
  ['a smaller total', { totals: [{ cents: 5_000n }, { cents: 700n }] }, 700n],
  ['the other limits if the totals are larger', { totals: [{ cents: 5_000n }] }, 1_000n],
  ['the daily limit if gas may be drawn', { gas: { microEtherPerDay: 1n } }, 2_000n],
  ['the daily limit if vault shortfalls count', { floors: [{}] }, 2_000n],
  ['a smaller total even if gas may be drawn', { gas: {}, totals: [{ cents: 1_500n }] }, 1_500n],
])('is %s', (_, change, most) => {
  expect(mostInADay({ ...bounds, ...change })).toBe(most)
})
