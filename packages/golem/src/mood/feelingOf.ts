import type { Feeling } from './mood.ts'

/** What a trade came to, by feeds, in millionths of a dollar. */
export type TradeOutcome = {
  readonly paidMicros: bigint
  readonly receivedMicros: bigint
  /** The pool's fee in hundredths of a basis point: who trades has expected it. */
  readonly poolFee: number
  /** What may be lost at most, as it was signed. */
  readonly slippageBps: number
}

const wholeFee = 1_000_000n
const wholeBps = 10_000n
const precision = 10_000n

/**
 * A win where a trade brought more than the feeds and the fee promised, a loss where it brought less. Losing all of the
 * signed slippage weighs 1, and so does winning as much.
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
  return { is: gain > 0n ? 'win' : 'loss', weight }
}
