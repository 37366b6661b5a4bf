import type { Feeling } from './mood.ts'

/** The outcome of a trade by feed prices, in millionths of a dollar. */
export type TradeOutcome = {
  readonly paidMicros: bigint
  readonly receivedMicros: bigint
  /** The pool's fee in hundredths of a basis point: it is expected. */
  readonly poolFee: number
  /** The signed maximum slippage. */
  readonly slippageBps: number
}

const wholeFee = 1_000_000n
const wholeBps = 10_000n
const precision = 10_000n

/**
 * A win if a trade returned more than feeds and fee predict, a loss if it returned less. Losing the full
 * signed slippage has
 * weight 1, and so has gaining as much.
 */
export function feelingOf({
  paidMicros,
  receivedMicros,
  poolFee,
  slippageBps,
}: TradeOutcome): Feeling | undefined {
  const expected = (paidMicros * (wholeFee - BigInt(poolFee))) / wholeFee
  const most = (paidMicros * BigInt(slippageBps)) / wholeBps
  const gain = receivedMicros - expected
  if (gain === 0n) return undefined
  const size = gain < 0n ? -gain : gain
  const weight = most > 0n ? Math.min(1, Number((size * precision) / most) / Number(precision)) : 1
  return { type: gain > 0n ? 'win' : 'loss', weight }
}
