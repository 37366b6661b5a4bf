import { expect, it } from 'vitest'
import { golemPhase } from './golemPhase.ts'
import { id, mandate, names, people } from './testing/sample.ts'

const terms = { golem: id, graceSeconds: 3_600, settlement: 0, mandate }

it('encodes its terms and decodes them again', () => {
  expect(golemPhase.decode(golemPhase.encode(terms))).toEqual(terms)
})

it('refuses terms that are cut off or too long', () => {
  const encoded = golemPhase.encode(terms)
  expect(() => golemPhase.decode(`0x${encoded.slice(4)}`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
  expect(() => golemPhase.decode(`${encoded}00`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
})

it('describes its terms in a sentence', () => {
  expect(golemPhase.describe(terms, names)).toBe(
    'only what the phase of the Golem 0x00000000…0009 allows, unwinding into USDC; after every 1 hour without a heartbeat, the next stricter phase applies',
  )
})

it('covers itself', () => {
  expect(golemPhase.covers(terms, terms)).toEqual({ type: 'covered' })
})

it.each([
  ['a shorter grace', { ...terms, ...{ graceSeconds: 3_599 } }],
  ['no unwinding', { ...terms, ...{ settlement: 255 } }],
] as const)('covers a child with %s', (_, child) => {
  expect(golemPhase.covers(terms, child).type).toBe('covered')
})

it.each([
  ["no dead-man's switch", { ...terms, ...{ graceSeconds: 0 } }],
  ['another settlement asset', { ...terms, ...{ settlement: 1 } }],
  [
    'an additional payee',
    { ...terms, ...{ mandate: { ...mandate, payees: [people.payee, people.author] } } },
  ],
] as const)('does not cover a child with %s', (_, child) => {
  expect(golemPhase.covers(terms, child).type).toBe('wider')
})
