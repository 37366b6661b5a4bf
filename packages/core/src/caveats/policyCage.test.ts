import { expect, it } from 'vitest'
import { policyCage } from './policyCage.ts'
import { id, mandate, names, otherId } from './testing/sample.ts'

const terms = { constitution: id, lineage: id, mandate }

it('encodes its terms and decodes them again', () => {
  expect(policyCage.decode(policyCage.encode(terms))).toEqual(terms)
})

it('refuses terms that are cut off or too long', () => {
  const encoded = policyCage.encode(terms)
  expect(() => policyCage.decode(`0x${encoded.slice(4)}`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
  expect(() => policyCage.decode(`${encoded}00`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
})

it('describes its terms in a sentence', () => {
  expect(policyCage.describe(terms, names)).toBe(
    'only what the constitution 0x00000000…0009 allows: its assets, spending limits, shares and drawdown',
  )
})

it('covers itself', () => {
  expect(policyCage.covers(terms, terms)).toEqual({ type: 'covered' })
})

it.each([
  ['another constitution', { ...terms, ...{ constitution: otherId } }],
  [
    'fewer assets, which is another portfolio',
    { ...terms, ...{ mandate: { ...mandate, assets: mandate.assets.slice(0, 1) } } },
  ],
] as const)('does not cover a child with %s', (_, child) => {
  expect(policyCage.covers(terms, child).type).toBe('wider')
})
