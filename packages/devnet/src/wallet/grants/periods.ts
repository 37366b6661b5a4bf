export const secondsPerDay = 86_400

/** The periods on MetaMask's screen: hour, day, week, two weeks, 30 days, 365 days. */
const offeredPeriods = [
  3_600,
  secondsPerDay,
  7 * secondsPerDay,
  14 * secondsPerDay,
  30 * secondsPerDay,
  365 * secondsPerDay,
]

/**
 * The period that is granted for a requested one. MetaMask offers six periods and silently takes the nearest,
 * so "100 every two days" becomes "100 every day": a page must read what was granted.
 *
 * @example
 * nearestOfferedPeriod(2 * 86_400) // 86_400
 */
export function nearestOfferedPeriod(seconds: number): number {
  return offeredPeriods.reduce((nearest, offered) =>
    Math.abs(offered - seconds) < Math.abs(nearest - seconds) ? offered : nearest,
  )
}
