import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nextFees } from './fees.ts'

const wei = fc.bigInt({ min: 0n, max: 10n ** 12n })
const fees = fc
  .record({ maxFeePerGas: wei, maxPriorityFeePerGas: wei })
  .filter(({ maxFeePerGas, maxPriorityFeePerGas }) => maxPriorityFeePerGas <= maxFeePerGas)

it('never goes over the cap, nor tips more than it pays', () => {
  fc.assert(
    fc.property(fees, fc.option(fees, { nil: undefined }), wei, (today, last, cap) => {
      const next = nextFees(today, last, cap)
      if (!next) return
      expect(next.maxFeePerGas <= cap).toBe(true)
      expect(next.maxPriorityFeePerGas <= next.maxFeePerGas).toBe(true)
    }),
  )
})

it('raises both fees by more than the tenth that nodes ask for, or not at all', () => {
  fc.assert(
    fc.property(fees, fees, wei, (today, last, cap) => {
      const next = nextFees(today, last, cap)
      if (!next) return
      expect(next.maxFeePerGas * 10n >= last.maxFeePerGas * 11n).toBe(true)
      expect(next.maxPriorityFeePerGas * 10n >= last.maxPriorityFeePerGas * 11n).toBe(true)
    }),
  )
})

it('starts at the cap where today is dearer', () => {
  expect(nextFees({ maxFeePerGas: 9n, maxPriorityFeePerGas: 8n }, undefined, 5n)).toEqual({
    maxFeePerGas: 5n,
    maxPriorityFeePerGas: 5n,
  })
})
