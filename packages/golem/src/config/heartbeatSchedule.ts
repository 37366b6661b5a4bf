/** A daily time window in minutes after midnight UTC. It may extend past midnight. */
export type DayWindow = { readonly from: number; readonly to: number }

/** The heartbeat schedule of HEARTBEAT.md. */
export type HeartbeatSchedule = {
  /** The interval between two ticks in normal conditions. */
  readonly intervalSeconds: number
  /** The limits of the adaptive interval. */
  readonly fastestSeconds: number
  readonly slowestSeconds: number
  /** During these windows the Golem ticks but decides nothing. */
  readonly quietHours: readonly DayWindow[]
  /** The interval and the length of dreams. */
  readonly dream: { readonly everySeconds: number; readonly lengthSeconds: number } | undefined
  /** The amount that a vault manager leaves outside the vault. */
  readonly reserveCents: bigint
}

/** Every five minutes, adaptive from 30 seconds to one hour. */
export const defaultSchedule: HeartbeatSchedule = {
  intervalSeconds: 300,
  fastestSeconds: 30,
  slowestSeconds: 3_600,
  quietHours: [],
  dream: undefined,
  reserveCents: 0n,
}

/** Whether a time in Unix seconds is in one of the windows. */
export function isQuiet(windows: readonly DayWindow[], now: number): boolean {
  const minute = Math.floor((((now % 86_400) + 86_400) % 86_400) / 60)
  return windows.some(({ from, to }) =>
    from <= to ? minute >= from && minute < to : minute >= from || minute < to,
  )
}
