import { expect, it } from 'vitest'
import { emotionalState } from './emotionalState.ts'
import { id, mandate, names } from './testing/sample.ts'

const terms = {
  golem: id,
  mood: { minPleasure: -10, maxArousal: 50, minDominance: 0 },
  restricted: 1 | 4,
  settlement: 255,
  mandate,
}

it('encodes its terms and decodes them again', () => {
  expect(emotionalState.decode(emotionalState.encode(terms))).toEqual(terms)
})

it('refuses terms that are cut off or too long', () => {
  const encoded = emotionalState.encode(terms)
  expect(() => emotionalState.decode(`0x${encoded.slice(4)}`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
  expect(() => emotionalState.decode(`${encoded}00`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
})

it('describes its terms in a sentence', () => {
  expect(emotionalState.describe(terms, names)).toBe(
    'swap and addLiquidity only while the Golem 0x00000000…0009 has pleasure at least -10, arousal at most 50 and dominance at least 0',
  )
})

it('covers itself', () => {
  expect(emotionalState.covers(terms, terms)).toEqual({ type: 'covered' })
})

it.each([['an additional restricted class', { ...terms, ...{ restricted: 1 | 4 | 8 } }]] as const)(
  'covers a child with %s',
  (_, child) => {
    expect(emotionalState.covers(terms, child).type).toBe('covered')
  },
)

it.each([
  ['one restricted class fewer', { ...terms, ...{ restricted: 4 } }],
  ['a laxer mood', { ...terms, ...{ mood: { minPleasure: -11, maxArousal: 50, minDominance: 0 } } }],
] as const)('does not cover a child with %s', (_, child) => {
  expect(emotionalState.covers(terms, child).type).toBe('wider')
})
