import type { PermissionHealth } from '@bardo/core'
import type { HeartbeatSchedule } from '../heartbeatFile/heartbeatSchedule.ts'

/** What a rhythm depends on. */
export type Pulse = {
  /** 0 to 1. */
  readonly vitality: number
  readonly volatility: number
  readonly health: PermissionHealth
  /** Dead-man's switch; 0 for none. */
  readonly graceSeconds: number
}

/** With so much life left, ticks are not stretched any more. Origin: DESIGN §5a, Thriving. */
const fullLife = 0.7

/**
 * Seconds to the next tick. A wild market and a bound that comes near quicken it; a Golem that is running out of life
 * slows down, as each tick costs. It stays within the schedule, and always within half the grace period.
 */
export function nextInterval(schedule: HeartbeatSchedule, pulse: Pulse): number {
  const { intervalSeconds, fastestSeconds, slowestSeconds } = schedule
  const { health, graceSeconds } = pulse
  const slower = 2 - Math.min(1, unit(pulse.vitality) / fullLife)
  const faster = 1 / (1 + 3 * unit(pulse.volatility))
  const near = health === 'critical' || health === 'low' ? 0.5 : 1
  const wanted = Math.round(intervalSeconds * slower * faster * near)
  const within = Math.min(slowestSeconds, Math.max(fastestSeconds, wanted))
  return graceSeconds > 0 ? Math.max(1, Math.min(within, Math.floor(graceSeconds / 2))) : within
}

/** What is no number counts as calm and dead: slow. */
function unit(value: number): number {
  return value > 0 ? Math.min(1, value) : 0
}
