import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Fees, nextFees } from './fees.ts'

const wei = fc.bigInt({ min: 0n, max: 10n ** 12n })
const fees = fc
  .record({ maxFeePerGas: wei, maxPriorityFeePerGas: wei })
  .filter(({ maxFeePerGas, maxPriorityFeePerGas }) => maxPriorityFeePerGas <= maxFeePerGas)

/** The same cap for the fee and the tip. */
const capOf = (cap: bigint) => ({ maxFeePerGas: cap, maxPriorityFeePerGas: cap })

it('never exceeds the cap, and never tips more than the fee', () => {
  fc.assert(
    fc.property(fees, fc.option(fees, { nil: undefined }), wei, (today, last, cap) => {
      const next = nextFees(today, last, capOf(cap))
      if (!next) return
      expect(next.maxFeePerGas <= cap).toBe(true)
      expect(next.maxPriorityFeePerGas <= next.maxFeePerGas).toBe(true)
    }),
  )
})

it('raises both fees by at least the tenth that nodes require, or not at all', () => {
  fc.assert(
    fc.property(fees, fees, wei, (today, last, cap) => {
      const next = nextFees(today, last, capOf(cap))
      if (!next) return
      expect(next.maxFeePerGas * 10n >= last.maxFeePerGas * 11n).toBe(true)
      expect(next.maxPriorityFeePerGas * 10n >= last.maxPriorityFeePerGas * 11n).toBe(true)
    }),
  )
})

it('starts at the cap if the market fee is higher', () => {
  expect(nextFees({ maxFeePerGas: 9n, maxPriorityFeePerGas: 8n }, undefined, capOf(5n))).toEqual({
    maxFeePerGas: 5n,
    maxPriorityFeePerGas: 5n,
  })
})

it('never tips more than the tip cap, after any number of replacements', () => {
  const cap = { maxFeePerGas: 1_000n, maxPriorityFeePerGas: 20n }
  const today = { maxFeePerGas: 100n, maxPriorityFeePerGas: 15n }
  const tips: bigint[] = []
  let last: Fees | undefined
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const next = nextFees(today, last, cap)
    if (!next) break
    tips.push(next.maxPriorityFeePerGas)
    last = next
  }
  expect(tips).toEqual([15n, 17n, 20n])
})
