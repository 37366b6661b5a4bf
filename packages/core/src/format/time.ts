/** The last second of the year 9999: a later year has five digits. */
const lastSecond = 253_402_300_799

/**
 * Unix seconds as ISO time in UTC.
 *
 * @example
 * isoTime(1_800_000_000) // '2027-01-15T08:00:00Z'
 */
export function isoTime(seconds: bigint | number): string {
  const milliseconds = Number(seconds) * 1000
  // Beyond the range of a JavaScript date.
  if (milliseconds > 8.64e15) return 'the end of time'
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

/**
 * Unix seconds as a moment in UTC, to the second; a plain number beyond the year 9999.
 *
 * @example
 * formatMoment(1_800_000_000n) // '2027-01-15 08:00:00 UTC'
 */
export function formatMoment(seconds: bigint): string {
  if (seconds > lastSecond) return `second ${seconds}`
  const iso = new Date(Number(seconds) * 1000).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}

/**
 * Unix seconds as a moment in UTC, to the minute.
 *
 * @example
 * formatMinute(1_800_000_000) // '2027-01-15 08:00'
 */
export function formatMinute(seconds: bigint | number): string {
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 16).replace('T', ' ')
}
