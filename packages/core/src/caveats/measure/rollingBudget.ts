import { overflow, refuse } from '../verdict/refuse.ts'

/** The length of one bucket. */
export const bucketSeconds = 14_400n
/** The number of buckets that count, including the current one. */
export const buckets = 7n
const bucketBits = 28n
const bucketsMask = (1n << (buckets * bucketBits)) - 1n

/** The maximum of a bucket, and therefore of a limit. */
export const maxBudgetCents = (1n << bucketBits) - 1n

/** The word with `cents` booked at `now`; refuses an amount above the limit. */
export function spendFromBudget(word: bigint, now: bigint, cents: bigint, limit: bigint): bigint {
  const current = currentBuckets(word, now, bucketSeconds)
  const spent = sumOf(current)
  if (!fits(spent, cents, limit)) refuse('SpendLimitExceeded', spent, cents, limit)
  return BigInt.asUintN(256, (current + cents) | (now << 196n) | ((now / bucketSeconds) << 232n))
}

/** The word with an amount booked at `now`; the time of the last execution is unchanged. */
export function bookedIn(word: bigint, now: bigint, amount: bigint): bigint {
  const kept = word & (((1n << 36n) - 1n) << 196n)
  return (currentBuckets(word, now, bucketSeconds) + amount) | kept | ((now / bucketSeconds) << 232n)
}

/** Whether these cents fit under the limit on top of what is spent. */
export function holds(word: bigint, now: bigint, cents: bigint, limit: bigint): boolean {
  return fits(spentNow(word, now), cents, limit)
}

/** The spending that counts now, in cents. */
export function spentNow(word: bigint, now: bigint): bigint {
  return spentIn(word, now, bucketSeconds)
}

/** The same for a word with another bucket length. */
export function spentIn(word: bigint, now: bigint, bucket: bigint): bigint {
  return sumOf(currentBuckets(word, now, bucket))
}

/** Zero always fits: a limit lowered below the spending must not block closing positions. */
function fits(spent: bigint, cents: bigint, limit: bigint): boolean {
  return cents === 0n || (cents <= limit && spent + cents <= limit)
}

/**
 * The time of the last execution; zero for never.
 *
 * @example
 * const [word = 0n] = wordsIn(state, budgetRead, 1) ?? []
 * lastExecutionIn(word) // 1800000000n, or 0n
 */
export function lastExecutionIn(word: bigint): bigint {
  return (word >> 196n) & ((1n << 36n) - 1n)
}

/** The buckets at this moment, newest in the lowest bits. */
function currentBuckets(word: bigint, now: bigint, bucket: bigint): bigint {
  const passed = now / bucket - (word >> 232n)
  // A clock that runs backwards must not erase spending.
  if (passed < 0n) overflow()
  return passed < buckets ? (word << (passed * bucketBits)) & bucketsMask : 0n
}

function sumOf(current: bigint): bigint {
  let sum = 0n
  for (let rest = current; rest !== 0n; rest >>= bucketBits) sum += rest & maxBudgetCents
  return sum
}
