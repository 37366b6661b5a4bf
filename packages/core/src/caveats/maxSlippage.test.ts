import { expect, it } from 'vitest'
import { maxSlippage } from './maxSlippage.ts'
import { mandate, names } from './testing/sample.ts'

const terms = { slippageBps: 50, spreadBps: 100, mandate }

it('encodes its terms and decodes them again', () => {
  expect(maxSlippage.decode(maxSlippage.encode(terms))).toEqual(terms)
})

it('refuses terms that are cut off or too long', () => {
  const encoded = maxSlippage.encode(terms)
  expect(() => maxSlippage.decode(`0x${encoded.slice(4)}`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
  expect(() => maxSlippage.decode(`${encoded}00`)).toThrow(
    expect.objectContaining({ code: 'TERMS_MALFORMED' }),
  )
})

it('describes its terms in a sentence', () => {
  expect(maxSlippage.describe(terms, names)).toBe(
    'max slippage 0.5 % against the price feeds; liquidity only into pools within 1 % of them',
  )
})

it('covers itself', () => {
  expect(maxSlippage.covers(terms, terms)).toEqual({ type: 'covered' })
})

it.each([['less slippage', { ...terms, ...{ slippageBps: 49 } }]] as const)(
  'covers a child with %s',
  (_, child) => {
    expect(maxSlippage.covers(terms, child).type).toBe('covered')
  },
)

it.each([
  ['more slippage', { ...terms, ...{ slippageBps: 51 } }],
  ['more spread', { ...terms, ...{ spreadBps: 101 } }],
] as const)('does not cover a child with %s', (_, child) => {
  expect(maxSlippage.covers(terms, child).type).toBe('wider')
})
