import { expect, it } from 'vitest'
import { feelingOf } from './feelingOf.ts'

const trade = (receivedMicros: bigint, slippageBps = 100) =>
  feelingOf({ paidMicros: 50_000_000n, receivedMicros, poolFee: 500, slippageBps })

it('compares a trade with the feed minus the fee, weighted by the signed slippage', () => {
  expect(trade(49_975_000n)).toBeUndefined()
  expect(trade(49_725_000n)).toEqual({ type: 'loss', weight: 0.5 })
  expect(trade(50_225_000n)).toEqual({ type: 'win', weight: 0.5 })
  expect(trade(60_000_000n)).toEqual({ type: 'win', weight: 1 })
  expect(trade(0n)).toEqual({ type: 'loss', weight: 1 })
  expect(trade(1n, 0)).toEqual({ type: 'loss', weight: 1 })
})
