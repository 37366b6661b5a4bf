import { type Dice, now } from './cases.ts'
import { totalPeriods } from './drawTerms.ts'

/** Buckets near their edges: some still count, one may be from the future. */
export function drawBudget(
  dice: Dice,
  bucketSeconds = 14_400n,
  amounts: readonly number[] = [0, 0, 1_000, 2_500],
): bigint {
  if (dice.once(4)) return 0n
  const epoch = now / bucketSeconds - BigInt(dice.pick(0, 1, 5, 6, 7, 20)) + (dice.once(40) ? 30n : 0n)
  const last = now - BigInt(dice.pick(99, 100, 101, 5_000))
  let buckets = 0n
  for (let i = 0n; i < 7n; i++) buckets |= BigInt(dice.pick(...amounts)) << (28n * i)
  return buckets | (last << 196n) | (epoch << 232n)
}

/** Gas near the small caps of the cases, in millionths of the native currency. */
export function drawGas(dice: Dice): bigint {
  return drawBudget(dice, 14_400n, [0, 0, 0, 0, 0, 1])
}

/** The spending of each period: a plain sum for the whole life, else buckets of a sixth of it. */
export function drawTotals(dice: Dice): readonly (readonly [periodSeconds: number, word: bigint])[] {
  return totalPeriods.map((period) => [
    period,
    period === 0 ? BigInt(dice.pick(0, 3_000, 9_000)) : drawBudget(dice, BigInt(period / 6)),
  ])
}
