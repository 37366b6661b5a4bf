import { fatalMissedTicks } from '../death/deathTrigger.ts'
import type { HeartbeatEvent } from '../events/golemEvent.ts'
import type { GolemState } from './golemState.ts'

/**
 * How many ticks a Golem has missed, as another worker sees it that has been up since `watchingSince`. Both are Unix
 * seconds of the one clock that all workers share, the database's. Only what was missed while somebody watched counts:
 * a machine that was asleep must not kill its Golems when it wakes.
 */
export function missedTicks(
  { nextTickAt, intervalSeconds }: Pick<GolemState, 'nextTickAt' | 'intervalSeconds'>,
  watchingSince: number,
  now: number,
): number {
  const late = now - Math.max(nextTickAt, watchingSince)
  return late > 0 && intervalSeconds > 0 ? Math.floor(late / intervalSeconds) : 0
}

/** The anomaly to file, where too many were missed. */
export function heartbeatAnomaly(
  state: Pick<GolemState, 'nextTickAt' | 'intervalSeconds'>,
  watchingSince: number,
  now: number,
): Extract<HeartbeatEvent, { name: 'heartbeat.anomaly' }> | undefined {
  const missed = missedTicks(state, watchingSince, now)
  return missed >= fatalMissedTicks
    ? { name: 'heartbeat.anomaly', missed, dueAt: state.nextTickAt }
    : undefined
}
