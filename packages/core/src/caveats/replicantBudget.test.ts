import { expect, it } from 'vitest'
import { replicantBudget } from './replicantBudget.ts'
import { id, mandate, names } from './testing/sample.ts'

const terms = { lineage: id, allowedCents: 5_050n, born: 1_800_000_000, lifespanSeconds: 86_400, mandate }

it('encodes its terms and decodes them again', () => {
  expect(replicantBudget.decode(replicantBudget.encode(terms))).toEqual(terms)
})

it('refuses terms that are cut off or too long', () => {
  const encoded = replicantBudget.encode(terms)
  expect(() => replicantBudget.decode(`0x${encoded.slice(4)}`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
  expect(() => replicantBudget.decode(`${encoded}00`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
})

it('describes its terms in a sentence', () => {
  expect(replicantBudget.describe(terms, names)).toBe(
    'at most $50.50 in total, from 2027-01-15T08:00:00Z to 2027-01-16T08:00:00Z',
  )
})

it('covers itself', () => {
  expect(replicantBudget.covers(terms, terms)).toEqual({ type: 'covered' })
})

it.each([['a shorter life', { ...terms, ...{ lifespanSeconds: 86_399 } }]] as const)(
  'covers a child with %s',
  (_, child) => {
    expect(replicantBudget.covers(terms, child).type).toBe('covered')
  },
)

it.each([
  ['a longer life', { ...terms, ...{ lifespanSeconds: 86_401 } }],
  ['more money', { ...terms, ...{ allowedCents: 5_051n } }],
] as const)('does not cover a child with %s', (_, child) => {
  expect(replicantBudget.covers(terms, child).type).toBe('wider')
})
