import { expect, it } from 'vitest'
import { mortalityTimeWindow } from './mortalityTimeWindow.ts'
import { names } from './testing/sample.ts'

const terms = { start: 1_800_000_000, end: 1_802_592_000 }

it('encodes its terms and decodes them again', () => {
  expect(mortalityTimeWindow.decode(mortalityTimeWindow.encode(terms))).toEqual(terms)
})

it('refuses terms that are cut off or too long', () => {
  const encoded = mortalityTimeWindow.encode(terms)
  expect(() => mortalityTimeWindow.decode(`0x${encoded.slice(4)}`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
  expect(() => mortalityTimeWindow.decode(`${encoded}00`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
})

it('describes its terms in a sentence', () => {
  expect(mortalityTimeWindow.describe(terms, names)).toBe(
    'only from 2027-01-15T08:00:00Z to 2027-02-14T08:00:00Z',
  )
})

it('covers itself', () => {
  expect(mortalityTimeWindow.covers(terms, terms)).toEqual({ type: 'covered' })
})

it.each([['a later start', { ...terms, ...{ start: 1_800_000_001 } }]] as const)(
  'covers a child with %s',
  (_, child) => {
    expect(mortalityTimeWindow.covers(terms, child).type).toBe('covered')
  },
)

it.each([
  ['a later end', { ...terms, ...{ end: 1_802_592_001 } }],
  ['an earlier start', { ...terms, ...{ start: 1 } }],
] as const)('does not cover a child with %s', (_, child) => {
  expect(mortalityTimeWindow.covers(terms, child).type).toBe('wider')
})
