import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sqrtPriceX96, worthOfToken0, worthOfToken1 } from './sqrtPrice.ts'

const amount = fc.bigInt({ min: 10n ** 4n, max: 10n ** 24n })

describe('sqrtPriceX96', () => {
  it('is 2^96 if both tokens are worth the same', () => {
    expect(sqrtPriceX96(10n ** 18n, 10n ** 18n)).toBe(2n ** 96n)
  })

  it('is the largest number whose square is not above the price', () => {
    fc.assert(
      fc.property(amount, amount, (amount0, amount1) => {
        const root = sqrtPriceX96(amount0, amount1)
        const price = (amount1 << 192n) / amount0
        expect(root * root <= price && (root + 1n) ** 2n > price).toBe(true)
      }),
    )
  })

  it('converts back to the amounts, except for rounding', () => {
    fc.assert(
      fc.property(amount, amount, (amount0, amount1) => {
        const root = sqrtPriceX96(amount0, amount1)
        expect(amount1 - worthOfToken0(amount0, root)).toBeLessThanOrEqual(amount1 / 10n ** 9n + 1n)
        expect(worthOfToken1(amount1, root) - amount0).toBeLessThanOrEqual(amount0 / 10n ** 9n + 1n)
      }),
    )
  })
})
