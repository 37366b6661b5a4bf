import { overflow, refuse } from '../verdict/refuse.ts'

/** Amounts are kept by periods of this length. */
export const bucketSeconds = 14_400n
/** So many periods count, the current one included. */
export const buckets = 7n
const bucketBits = 28n
const bucketsMask = (1n << (buckets * bucketBits)) - 1n

/** The most that a bucket, and so a limit, can hold. */
export const maxBudgetCents = (1n << bucketBits) - 1n

/** The word with `cents` booked at `now`; refuses what goes over the limit. */
export function spendFromBudget(word: bigint, now: bigint, cents: bigint, limit: bigint): bigint {
  const current = currentBuckets(word, now)
  const spent = sumOf(current)
  // What takes nothing is not refused: a limit lowered below what was spent must not keep positions from closing.
  if (cents !== 0n && (cents > limit || spent + cents > limit))
    refuse('SpendLimitExceeded', spent, cents, limit)
  return BigInt.asUintN(256, (current + cents) | (now << 196n) | ((now / bucketSeconds) << 232n))
}

/** What counts as spent now, in cents. */
export function spentNow(word: bigint, now: bigint): bigint {
  return sumOf(currentBuckets(word, now))
}

/** When the last execution was; zero for never. */
export function lastExecutionIn(word: bigint): bigint {
  return (word >> 196n) & ((1n << 36n) - 1n)
}

/** The buckets as they are now, newest in the lowest bits. */
function currentBuckets(word: bigint, now: bigint): bigint {
  const passed = now / bucketSeconds - (word >> 232n)
  // A clock that ran backwards must not make spending disappear.
  if (passed < 0n) overflow()
  return passed < buckets ? (word << (passed * bucketBits)) & bucketsMask : 0n
}

function sumOf(current: bigint): bigint {
  let sum = 0n
  for (let rest = current; rest !== 0n; rest >>= bucketBits) sum += rest & maxBudgetCents
  return sum
}
