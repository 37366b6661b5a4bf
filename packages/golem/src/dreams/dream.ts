import { BardoError } from '@bardo/core'
import type { HeartbeatSchedule } from '../config/heartbeatSchedule.ts'

/**
 * The stored dream. The runtime stops writing before the oracle shows that it dreams, and starts again after
 * the oracle
 * shows that it is awake: no crash makes it act against what the chain shows.
 */
export type Dream = {
  readonly type: 'awake' | 'fallingAsleep' | 'asleep' | 'waking'
  /** The number of dreams. */
  readonly number: number
  /** The start of the last dream, or its end; Unix seconds. */
  readonly since: number
}

/** The state of a newly summoned Golem. */
export function awake(now: number): Dream {
  return { type: 'awake', number: 0, since: now }
}

/** Advances the dream by the time. A dying Golem does not dream: it wakes at once. */
export function turnDream(
  dream: Dream,
  schedule: HeartbeatSchedule['dream'],
  now: number,
  isDying: boolean,
): Dream {
  const elapsed = now - dream.since
  if (dream.type === 'awake') {
    const isDue = schedule !== undefined && elapsed >= schedule.everySeconds - schedule.lengthSeconds
    return isDue && !isDying ? { type: 'fallingAsleep', number: dream.number + 1, since: now } : dream
  }
  const isOver = isDying || !schedule || elapsed >= schedule.lengthSeconds
  return isOver && dream.type !== 'waking' ? { ...dream, type: 'waking' } : dream
}

/** Whether the oracle must show that it dreams. */
export function wantsDreaming({ type }: Dream): boolean {
  return type === 'fallingAsleep' || type === 'asleep'
}

/** Advances the dream once the oracle shows it. */
export function confirmDream(dream: Dream, oracleSays: boolean, now: number): Dream {
  if (dream.type === 'fallingAsleep' && oracleSays) return { ...dream, type: 'asleep' }
  if (dream.type === 'waking' && !oracleSays) return { ...dream, type: 'awake', since: now }
  return dream
}

/** Throws unless the Golem is awake. */
export function requireAwake({ type, number }: Dream): void {
  if (type === 'awake') return
  throw new BardoError('The Golem is dreaming.', {
    code: 'GOLEM_DREAMING',
    details: [`dream ${number}: ${type}`],
    remedy: 'Wait until it wakes.',
    docsPath: 'golem.md#dreams-and-mood',
  })
}
