import { BardoError } from '@bardo/core'
import type { HeartbeatSchedule } from '../heartbeatFile/heartbeatSchedule.ts'

/**
 * Sleep, as it is stored. The runtime stops writing before the oracle says that it dreams, and begins again after the
 * oracle says that it is awake: at no crash does it act against what the chain shows.
 */
export type Dream = {
  readonly is: 'awake' | 'fallingAsleep' | 'asleep' | 'waking'
  /** Counts the dreams. */
  readonly number: number
  /** When it fell asleep, or woke, last; Unix seconds. */
  readonly since: number
}

/** A Golem that was just summoned. */
export function awake(now: number): Dream {
  return { is: 'awake', number: 0, since: now }
}

/** What it is time for. The dying do not dream: they wake at once. */
export function turnDream(
  dream: Dream,
  schedule: HeartbeatSchedule['dream'],
  now: number,
  isDying: boolean,
): Dream {
  const elapsed = now - dream.since
  if (dream.is === 'awake') {
    const isDue = schedule !== undefined && elapsed >= schedule.everySeconds - schedule.lengthSeconds
    return isDue && !isDying ? { is: 'fallingAsleep', number: dream.number + 1, since: now } : dream
  }
  const isOver = isDying || !schedule || elapsed >= schedule.lengthSeconds
  return isOver && dream.is !== 'waking' ? { ...dream, is: 'waking' } : dream
}

/** What the oracle has to say. */
export function wantsDreaming({ is }: Dream): boolean {
  return is === 'fallingAsleep' || is === 'asleep'
}

/** The dream once the oracle says what it has to. */
export function confirmDream(dream: Dream, oracleSays: boolean, now: number): Dream {
  if (dream.is === 'fallingAsleep' && oracleSays) return { ...dream, is: 'asleep' }
  if (dream.is === 'waking' && !oracleSays) return { ...dream, is: 'awake', since: now }
  return dream
}

/** Keeps every write back unless it is wide awake. */
export function requireAwake({ is, number }: Dream): void {
  if (is === 'awake') return
  throw new BardoError('The Golem is dreaming.', {
    code: 'GOLEM_DREAMING',
    details: [`dream ${number}: ${is}`],
    remedy: 'Wait until it wakes.',
    docsPath: 'golem.md#dreams-and-mood',
  })
}
