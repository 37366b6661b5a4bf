import { expect, it } from 'vitest'
import { cadence } from './cadence.ts'
import { id, names, otherId } from './testing/sample.ts'

const terms = { lineage: id, intervalSeconds: 604_800 }

it('encodes its terms and decodes them again', () => {
  expect(cadence.decode(cadence.encode(terms))).toEqual(terms)
})

it('refuses terms that are cut off or too long', () => {
  const encoded = cadence.encode(terms)
  expect(() => cadence.decode(`0x${encoded.slice(4)}`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
  expect(() => cadence.decode(`${encoded}00`)).toThrow(expect.objectContaining({ code: 'TERMS_MALFORMED' }))
})

it('describes its terms in a sentence', () => {
  expect(cadence.describe(terms, names)).toBe('at most one execution every 7 days')
})

it('covers itself', () => {
  expect(cadence.covers(terms, terms)).toEqual({ type: 'covered' })
})

it.each([['a longer interval', { ...terms, ...{ intervalSeconds: 604_801 } }]] as const)(
  'covers a child with %s',
  (_, child) => {
    expect(cadence.covers(terms, child).type).toBe('covered')
  },
)

it.each([
  ['a shorter interval', { ...terms, ...{ intervalSeconds: 604_799 } }],
  ['another lineage', { ...terms, ...{ lineage: otherId } }],
] as const)('does not cover a child with %s', (_, child) => {
  expect(cadence.covers(terms, child).type).toBe('wider')
})
