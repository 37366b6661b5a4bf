import { refuse } from '../verdict/refuse.ts'
import { maxBudgetCents, spentIn } from './rollingBudget.ts'

/**
 * The maximum that leaves in any window of a given length, or over the whole life. It can be spent in parts.
 */
export type Total = {
  /** 0 for the whole life; otherwise at least a day and a multiple of 6. */
  readonly periodSeconds: number
  /** From 1 to 2^28 − 1. */
  readonly cents: bigint
}

const maxTotals = 4
const leastPeriod = 86_400
/** A period's word has buckets of a sixth of the period: any window of that length touches at most seven. */
const bucketsPerPeriod = 6

/** Refuses invalid totals. */
export function requireTotals(totals: readonly Total[]): void {
  if (totals.length === 0 || totals.length > maxTotals)
    refuse('TotalsMalformed', BigInt(totals.length), 0n, 0n)
  let last = 0
  for (const [place, { periodSeconds, cents }] of totals.entries()) {
    const isPeriod =
      periodSeconds === 0
        ? place === 0
        : periodSeconds >= leastPeriod && periodSeconds % bucketsPerPeriod === 0 && periodSeconds > last
    if (!isPeriod || cents === 0n || cents > maxBudgetCents)
      refuse('TotalsMalformed', BigInt(totals.length), BigInt(periodSeconds), cents)
    last = periodSeconds
  }
}

/** The bucket length of a period's word; undefined for the whole life, whose word is a plain sum. */
export function bucketOf(periodSeconds: number): bigint | undefined {
  return periodSeconds === 0 ? undefined : BigInt(periodSeconds / bucketsPerPeriod)
}

/**
 * Refuses spending above the limit of a period.
 *
 * @param word - the enforcer's stored word for the period
 */
export function requireWithinTotal(
  word: bigint,
  now: bigint,
  asked: bigint,
  { periodSeconds, cents }: Total,
): void {
  const bucket = bucketOf(periodSeconds)
  const spent = bucket === undefined ? word : spentIn(word, now, bucket)
  if (asked > cents || spent + asked > cents)
    refuse('TotalExceeded', BigInt(periodSeconds), spent, asked, cents)
}
