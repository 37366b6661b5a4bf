import { expect, it } from 'vitest'
import { names, people } from './testing/sample.ts'
import { threshold } from './threshold.ts'

const terms = { threshold: 2, keys: [people.account, people.payee, people.author] }

it('encodes its terms and decodes them again', () => {
  expect(threshold.decode(threshold.encode(terms))).toEqual(terms)
})

it('refuses terms that are cut off or too long', () => {
  const encoded = threshold.encode(terms)
  expect(() => threshold.decode(`0x${encoded.slice(4)}`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
  expect(() => threshold.decode(`${encoded}00`)).toThrow(expect.objectContaining({ code: 'TERMS_MALFORMED' }))
})

it('describes its terms in a sentence', () => {
  expect(threshold.describe(terms, names)).toBe(
    '2 of 0x000000000000000000000000000000000000aa01, Paul and Ada sign every execution',
  )
})

it('covers itself', () => {
  expect(threshold.covers(terms, terms)).toEqual({ type: 'covered' })
})

it.each([['one more signature', { ...terms, ...{ threshold: 3 } }]] as const)(
  'covers a child with %s',
  (_, child) => {
    expect(threshold.covers(terms, child).type).toBe('covered')
  },
)

it.each([
  ['one signature fewer', { ...terms, ...{ threshold: 1 } }],
  ['other keys', { ...terms, ...{ keys: [people.account, people.payee] } }],
] as const)('does not cover a child with %s', (_, child) => {
  expect(threshold.covers(terms, child).type).toBe('wider')
})
