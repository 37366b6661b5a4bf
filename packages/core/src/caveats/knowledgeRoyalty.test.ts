import { expect, it } from 'vitest'
import { knowledgeRoyalty } from './knowledgeRoyalty.ts'
import { mandate, names, people } from './testing/sample.ts'

const terms = { author: people.author, bps: 500, mandate }

it('writes its terms and reads them back', () => {
  expect(knowledgeRoyalty.decode(knowledgeRoyalty.encode(terms))).toEqual(terms)
})

it('refuses terms that are cut off or too long', () => {
  const encoded = knowledgeRoyalty.encode(terms)
  expect(() => knowledgeRoyalty.decode(`0x${encoded.slice(4)}`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
  expect(() => knowledgeRoyalty.decode(`${encoded}00`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
})

it('says it in a sentence', () => {
  expect(knowledgeRoyalty.describe(terms, names)).toBe('of every sale Ada gets 5 %')
})

it('covers itself', () => {
  expect(knowledgeRoyalty.covers(terms, terms)).toEqual({ is: 'covered' })
})

it.each([['a larger share', { ...terms, ...{ bps: 501 } }]] as const)(
  'covers a child with %s',
  (_, child) => {
    expect(knowledgeRoyalty.covers(terms, child).is).toBe('covered')
  },
)

it.each([
  ['a smaller share', { ...terms, ...{ bps: 499 } }],
  ['another author', { ...terms, ...{ author: people.payee } }],
] as const)('does not cover a child with %s', (_, child) => {
  expect(knowledgeRoyalty.covers(terms, child).is).toBe('wider')
})
