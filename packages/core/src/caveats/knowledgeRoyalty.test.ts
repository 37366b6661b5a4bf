import { expect, it } from 'vitest'
import { knowledgeRoyalty } from './knowledgeRoyalty.ts'
import { mandate, names, people } from './testing/sample.ts'

const terms = { author: people.author, bps: 500, mandate }

it('encodes its terms and decodes them again', () => {
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

it('describes its terms in a sentence', () => {
  expect(knowledgeRoyalty.describe(terms, names)).toBe('Ada gets 5 % of every sale')
})

it('covers itself', () => {
  expect(knowledgeRoyalty.covers(terms, terms)).toEqual({ type: 'covered' })
})

it.each([['a larger share', { ...terms, ...{ bps: 501 } }]] as const)(
  'covers a child with %s',
  (_, child) => {
    expect(knowledgeRoyalty.covers(terms, child).type).toBe('covered')
  },
)

it.each([
  ['a smaller share', { ...terms, ...{ bps: 499 } }],
  ['another author', { ...terms, ...{ author: people.payee } }],
] as const)('does not cover a child with %s', (_, child) => {
  expect(knowledgeRoyalty.covers(terms, child).type).toBe('wider')
})
