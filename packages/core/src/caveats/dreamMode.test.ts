import { expect, it } from 'vitest'
import { dreamMode } from './dreamMode.ts'
import { id, names, otherId } from './testing/sample.ts'

const terms = { golem: id }

it('encodes its terms and decodes them again', () => {
  expect(dreamMode.decode(dreamMode.encode(terms))).toEqual(terms)
})

it('refuses terms that are cut off or too long', () => {
  const encoded = dreamMode.encode(terms)
  expect(() => dreamMode.decode(`0x${encoded.slice(4)}`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
  expect(() => dreamMode.decode(`${encoded}00`)).toThrow(expect.objectContaining({ code: 'TERMS_MALFORMED' }))
})

it('describes its terms in a sentence', () => {
  expect(dreamMode.describe(terms, names)).toBe(
    'nothing while the Golem 0x00000000…0009 is dreaming or not alive',
  )
})

it('covers itself', () => {
  expect(dreamMode.covers(terms, terms)).toEqual({ type: 'covered' })
})

it.each([['another Golem', { ...terms, ...{ golem: otherId } }]] as const)(
  'does not cover a child with %s',
  (_, child) => {
    expect(dreamMode.covers(terms, child).type).toBe('wider')
  },
)
