import { type Dice, now } from './cases.ts'

/** Buckets around their edges: some still count, one may be from the future. */
export function drawBudget(dice: Dice): bigint {
  if (dice.once(4)) return 0n
  const epoch = now / 14_400n - BigInt(dice.pick(0, 1, 5, 6, 7, 20)) + (dice.once(40) ? 30n : 0n)
  const last = now - BigInt(dice.pick(99, 100, 101, 5_000))
  let buckets = 0n
  for (let i = 0n; i < 7n; i++) buckets |= BigInt(dice.pick(0, 0, 1_000, 2_500)) << (28n * i)
  return buckets | (last << 196n) | (epoch << 232n)
}
