import { expect, it } from 'vitest'
import { names, people } from './testing/sample.ts'
import { threshold } from './threshold.ts'

const terms = { threshold: 2, keys: [people.account, people.payee, people.author] }

it('writes its terms and reads them back', () => {
  expect(threshold.decode(threshold.encode(terms))).toEqual(terms)
})

it('refuses terms that are cut off or too long', () => {
  const encoded = threshold.encode(terms)
  expect(() => threshold.decode(`0x${encoded.slice(4)}`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
  expect(() => threshold.decode(`${encoded}00`)).toThrow(expect.objectContaining({ code: 'TERMS_MALFORMED' }))
})

it('says it in a sentence', () => {
  expect(threshold.describe(terms, names)).toBe(
    '2 of 0x000000000000000000000000000000000000aa01, Paul and Ada sign every execution',
  )
})

it('covers itself', () => {
  expect(threshold.covers(terms, terms)).toEqual({ is: 'covered' })
})

it.each([['one signature more', { ...terms, ...{ threshold: 3 } }]] as const)(
  'covers a child with %s',
  (_, child) => {
    expect(threshold.covers(terms, child).is).toBe('covered')
  },
)

it.each([
  ['one signature less', { ...terms, ...{ threshold: 1 } }],
  ['other keys', { ...terms, ...{ keys: [people.account, people.payee] } }],
] as const)('does not cover a child with %s', (_, child) => {
  expect(threshold.covers(terms, child).is).toBe('wider')
})
