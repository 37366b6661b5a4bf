import { formatCount } from './number.ts'

const units = [
  { size: 86_400, noun: 'day', short: 'd' },
  { size: 3_600, noun: 'hour', short: 'h' },
  { size: 60, noun: 'minute', short: 'min' },
  { size: 1, noun: 'second', short: 's' },
] as const

/**
 * A duration in the largest unit that divides it.
 *
 * @example
 * formatDuration(2_592_000) // '30 days'
 * formatDuration(90) // '90 seconds'
 */
export function formatDuration(seconds: bigint | number): string {
  // A strategy can name half a second.
  if (!Number.isInteger(Number(seconds))) return formatCount(seconds, 'second')
  const whole = BigInt(seconds)
  for (const { size, noun } of units) {
    const length = BigInt(size)
    if (whole >= length && whole % length === 0n) return formatCount(whole / length, noun)
  }
  return formatCount(whole, 'second')
}

/**
 * A duration in its largest units, rounded down. Default: the largest two.
 *
 * @example
 * formatLongDuration(93_784) // '1 day and 2 hours'
 */
export function formatLongDuration(seconds: number, most = 2): string {
  if (seconds < 1) return 'no time'
  const parts: string[] = []
  let rest = Math.floor(seconds)
  for (const { size, noun } of units) {
    const many = Math.floor(rest / size)
    rest -= many * size
    if (many > 0) parts.push(formatCount(many, noun))
    if (parts.length === most) break
  }
  return parts.join(' and ')
}

/**
 * A duration in all its units: a signed duration is never rounded.
 *
 * @example
 * formatExactDuration(93_784) // '1 day and 2 hours and 3 minutes and 4 seconds'
 */
export function formatExactDuration(seconds: number): string {
  return formatLongDuration(seconds, units.length)
}

/**
 * A duration for a narrow column, in its largest unit and rounded down.
 *
 * @example
 * formatCompactDuration(250) // '4 min'
 */
export function formatCompactDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const { size, short } = units.find((unit) => whole >= unit.size) ?? units[3]
  return `${Math.floor(whole / size)} ${short}`
}
