import { isEndless, type Period } from '../../caveats/metamask/period.ts'
import type { Stream } from '../../caveats/metamask/stream.ts'

/** The most that fits under a limit from now until a moment, both inclusive; undefined if it has no end. */
export type Most = (until: bigint | undefined) => bigint | undefined

/** The buckets of a rolling limit that count together. */
const buckets = 7n

/**
 * A rolling limit: seven buckets in a row hold at most the limit. From the end backwards, every group of seven
 * can be used in full; in the first group, what was spent before still counts.
 *
 * @param spentAt - the spending before now that still counts at a later moment
 */
export function rollingUntil(
  limit: bigint,
  bucketSeconds: bigint,
  now: bigint,
  spentAt: (at: bigint) => bigint,
): Most {
  return (until) => {
    if (until === undefined) return limit === 0n ? 0n : undefined
    if (until < now) return 0n
    const [first, last] = [now / bucketSeconds, until / bucketSeconds]
    const groups = (last - first) / buckets + 1n
    const endOfFirst = (last - buckets * (groups - 1n)) * bucketSeconds
    const left = atLeastZero(limit - spentAt(endOfFirst > now ? endOfFirst : now))
    return left + limit * (groups - 1n)
  }
}

/** A limit that never renews. */
export function totalUntil(left: bigint): Most {
  return () => atLeastZero(left)
}

/**
 * A period cap: what is left now, and the whole cap at the start of every later period. The end of one period
 * and the start of the next can be moments apart.
 */
export function periodsUntil({ amount, duration, start }: Period, now: bigint, spent: bigint): Most {
  return (until) => {
    if (amount === 0n || duration === 0n || start === 0n) return 0n
    const left = now < start ? 0n : atLeastZero(amount - spent)
    if (isEndless({ amount, duration, start })) return now < start ? amount : left
    if (until === undefined) return undefined
    if (until < now || until < start) return 0n
    const later =
      now < start ? (until - start) / duration + 1n : (until - start) / duration - (now - start) / duration
    return left + amount * later
  }
}

/** An allowance that grows by the second. */
export function streamUntil({ initial, max, perSecond, start }: Stream, now: bigint, spent: bigint): Most {
  return (until) => {
    if (until === undefined) return atLeastZero(max - spent)
    if (until < now || until < start) return 0n
    const grown = initial + perSecond * (until - start)
    return atLeastZero((grown < max ? grown : max) - spent)
  }
}

/**
 * The number of executions: at least `cadenceSeconds` apart, and no more than `left`.
 *
 * @param first - the first moment in which one can pass
 * @param left - undefined for no limit
 */
export function executionsUntil(first: bigint, cadenceSeconds: bigint, left: bigint | undefined): Most {
  return (until) => {
    if (until !== undefined && until < first) return 0n
    if (until === undefined || cadenceSeconds === 0n) return left
    const times = (until - first) / cadenceSeconds + 1n
    return left !== undefined && left < times ? left : times
  }
}

function atLeastZero(value: bigint): bigint {
  return value > 0n ? value : 0n
}
