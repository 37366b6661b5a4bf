/** What a tick looks at. */
export const checkNames = ['wallet', 'permission', 'prices', 'positions'] as const

/** One of the looks. */
export type CheckName = (typeof checkNames)[number]

/** A part of every day, in minutes after midnight UTC. It may go past midnight. */
export type DayWindow = { readonly from: number; readonly to: number }

/** How a Golem's heart beats, as HEARTBEAT.md has it. */
export type HeartbeatSchedule = {
  /** Between two ticks when nothing is the matter. */
  readonly intervalSeconds: number
  /** The adaptive interval stays between these two. */
  readonly fastestSeconds: number
  readonly slowestSeconds: number
  /** When nothing is decided; the heart goes on. */
  readonly quietHours: readonly DayWindow[]
  /** How often it dreams, and for how long. */
  readonly dream: { readonly everySeconds: number; readonly lengthSeconds: number } | undefined
  /** What a vault manager leaves outside of the vault. */
  readonly reserveCents: bigint
  readonly checks: readonly CheckName[]
}

/** Every five minutes, from half a minute to an hour. Origin: ours; spec 003's Snap looks every five minutes. */
export const defaultSchedule: HeartbeatSchedule = {
  intervalSeconds: 300,
  fastestSeconds: 30,
  slowestSeconds: 3_600,
  quietHours: [],
  dream: undefined,
  reserveCents: 0n,
  checks: checkNames,
}

/** Whether a moment, in Unix seconds, lies in one of the windows. */
export function isQuiet(windows: readonly DayWindow[], now: number): boolean {
  const minute = Math.floor((((now % 86_400) + 86_400) % 86_400) / 60)
  return windows.some(({ from, to }) =>
    from <= to ? minute >= from && minute < to : minute >= from || minute < to,
  )
}
