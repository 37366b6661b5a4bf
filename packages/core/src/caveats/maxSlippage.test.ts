import { expect, it } from 'vitest'
import { maxSlippage } from './maxSlippage.ts'
import { mandate, names } from './testing/sample.ts'

const terms = { slippageBps: 50, spreadBps: 100, mandate }

it('writes its terms and reads them back', () => {
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

it('says it in a sentence', () => {
  expect(maxSlippage.describe(terms, names)).toBe(
    'swaps cost at most 0.5 % by the feeds, and liquidity goes only into a pool that is at most 1 % off them',
  )
})

it('covers itself', () => {
  expect(maxSlippage.covers(terms, terms)).toEqual({ is: 'covered' })
})

it.each([['less slippage', { ...terms, ...{ slippageBps: 49 } }]] as const)(
  'covers a child with %s',
  (_, child) => {
    expect(maxSlippage.covers(terms, child).is).toBe('covered')
  },
)

it.each([
  ['more slippage', { ...terms, ...{ slippageBps: 51 } }],
  ['more spread', { ...terms, ...{ spreadBps: 101 } }],
] as const)('does not cover a child with %s', (_, child) => {
  expect(maxSlippage.covers(terms, child).is).toBe('wider')
})
