import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PricePoint, rememberPrices, volatilityOf } from './volatility.ts'

const seen = (price: number, symbol = 'WETH') => [{ symbol, price: BigInt(price) }]
const after = (...prices: readonly (readonly [number, number])[]) =>
  prices.reduce<readonly PricePoint[]>((memory, [at, price]) => rememberPrices(memory, seen(price), at), [])

describe('volatility', () => {
  it('is the price range of an hour, relative to five per cent', () => {
    expect(volatilityOf([])).toBe(0)
    expect(volatilityOf(after([0, 1_000]))).toBe(0)
    expect(volatilityOf(after([0, 1_000], [60, 975]))).toBeCloseTo(0.5)
    expect(volatilityOf(after([0, 1_000], [60, 500], [120, 1_000]))).toBe(1)
  })

  it('is that of the most volatile asset', () => {
    const memory = rememberPrices(after([0, 1_000], [60, 990]), seen(1, 'USDC'), 60)
    expect(volatilityOf(memory)).toBeCloseTo(0.2)
  })

  it('forgets prices after an hour, except the one in force when the hour began', () => {
    const memory = after([0, 900], [10, 1_000], [5_000, 1_000])
    expect(memory).toEqual([{ symbol: 'WETH', price: 1_000n, at: 10 }])
    expect(volatilityOf(rememberPrices(memory, seen(990), 9_000))).toBeCloseTo(0.2)
    expect(volatilityOf(rememberPrices(memory, [], 9_000))).toBe(0)
  })

  it('has a bounded memory and a value from 0 to 1 for any prices and times', () => {
    const look = fc.record({ price: fc.bigInt({ min: 1n, max: 2n ** 88n }), at: fc.nat(20_000) })
    fc.assert(
      fc.property(fc.array(look, { maxLength: 400, minLength: 1, size: 'max' }), (looks) => {
        const memory = looks.reduce<readonly PricePoint[]>(
          (known, { price, at }) => rememberPrices(known, [{ symbol: 'WETH', price }], at),
          [],
        )
        expect(memory.length).toBeLessThanOrEqual(128)
        expect(memory.at(-1)?.price).toBe(looks.at(-1)?.price)
        const volatility = volatilityOf(memory)
        expect(volatility).toBeGreaterThanOrEqual(0)
        expect(volatility).toBeLessThanOrEqual(1)
      }),
      { numRuns: 30 },
    )
  })
})
