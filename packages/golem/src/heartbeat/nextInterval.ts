import type { PermissionHealth } from '@bardo/core'
import type { HeartbeatSchedule } from '../config/heartbeatSchedule.ts'

/** The inputs of the tick interval. */
export type Pulse = {
  /** 0 to 1. */
  readonly vitality: number
  readonly volatility: number
  readonly health: PermissionHealth
  /** Dead-man's switch; 0 for none. */
  readonly graceSeconds: number
}

/** From this vitality on (the threshold of Thriving), the interval is not lengthened. */
const fullLife = 0.7

/**
 * Seconds to the next tick. A volatile market or a permission near its limits shortens the interval. A low
 * vitality lengthens it, because each tick costs money. The interval stays within the schedule, and always
 * within half the grace period.
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

/** Clamps to 0 … 1. NaN counts as 0: no volatility and no vitality, which gives the slow interval. */
function unit(value: number): number {
  return value > 0 ? Math.min(1, value) : 0
}
