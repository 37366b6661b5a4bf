import type { HeartbeatEvent } from '../events/golemEvent.ts'
import type { GolemState } from '../state/golemState.ts'

/** The number of missed ticks after which a watcher reports. */
const reportedTicks = 3
/** A Golem that was unclaimed for less than this has missed nothing, however short its interval. */
export const leastMissedMs = 15 * 60_000

/** The number of ticks missed since one was due or since `watchingSince`, in Unix seconds. For display. */
export function missedTicks(
  { nextTickAt, intervalSeconds }: Pick<GolemState, 'nextTickAt' | 'intervalSeconds'>,
  watchingSince: number,
  now: number,
): number {
  const late = now - Math.max(nextTickAt, watchingSince)
  return late > 0 && intervalSeconds > 0 ? Math.floor(late / intervalSeconds) : 0
}

/** What a watcher knows of a Golem whose tick is due. Milliseconds. */
export type Unclaimed = {
  readonly now: number
  /** Since when the watcher itself has been running without a pause. */
  readonly awakeSince: number
  /** How long no worker has claimed the Golem's tick. */
  readonly idleMs: number
}

/**
 * How long, in milliseconds, a watcher has seen a due Golem without a worker that claims its tick. The
 * watcher's own
 * suspension never counts, and neither does a long tick.
 */
export function unclaimedFor(
  { nextTickAt }: Pick<GolemState, 'nextTickAt'>,
  { now, awakeSince, idleMs }: Unclaimed,
): number {
  return Math.max(0, Math.min(now - nextTickAt * 1_000, now - awakeSince, idleMs))
}

/** The anomaly to report once no worker has claimed a Golem for three intervals and for `leastMs`. */
export function heartbeatAnomaly(
  { nextTickAt, intervalSeconds }: Pick<GolemState, 'nextTickAt' | 'intervalSeconds'>,
  unclaimedMs: number,
  leastMs: number = leastMissedMs,
): Extract<HeartbeatEvent, { name: 'heartbeat.anomaly' }> | undefined {
  const intervalMs = intervalSeconds * 1_000
  if (!(unclaimedMs >= Math.max(reportedTicks * intervalMs, leastMs))) return undefined
  return { name: 'heartbeat.anomaly', missed: Math.floor(unclaimedMs / intervalMs), dueAt: nextTickAt }
}
