import { expect, it } from 'vitest'
import { dailySpendLimit } from './dailySpendLimit.ts'
import { id, mandate, names, otherId } from './testing/sample.ts'

const terms = { lineage: id, limitCents: 100_000n, mandate }

it('encodes its terms and decodes them again', () => {
  expect(dailySpendLimit.decode(dailySpendLimit.encode(terms))).toEqual(terms)
})

it('refuses terms that are cut off or too long', () => {
  const encoded = dailySpendLimit.encode(terms)
  expect(() => dailySpendLimit.decode(`0x${encoded.slice(4)}`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
  expect(() => dailySpendLimit.decode(`${encoded}00`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
})

it('describes its terms in a sentence', () => {
  expect(dailySpendLimit.describe(terms, names)).toBe('at most $1,000 in any 24 hours')
})

it('covers itself', () => {
  expect(dailySpendLimit.covers(terms, terms)).toEqual({ type: 'covered' })
})

it.each([['a lower limit', { ...terms, ...{ limitCents: 99_999n } }]] as const)(
  'covers a child with %s',
  (_, child) => {
    expect(dailySpendLimit.covers(terms, child).type).toBe('covered')
  },
)

it.each([
  ['a higher limit', { ...terms, ...{ limitCents: 100_001n } }],
  ['another lineage', { ...terms, ...{ lineage: otherId } }],
  [
    'an older price',
    {
      ...terms,
      ...{
        mandate: {
          ...mandate,
          assets: mandate.assets.map((asset) => ({ ...asset, maxAgeSeconds: asset.maxAgeSeconds * 2 })),
        },
      },
    },
  ],
] as const)('does not cover a child with %s', (_, child) => {
  expect(dailySpendLimit.covers(terms, child).type).toBe('wider')
})
