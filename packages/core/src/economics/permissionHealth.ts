/** The health of a permission. */
export type PermissionHealth = 'healthy' | 'low' | 'critical' | 'revoked'

/** Below this share of the daily cap it is critical, in percent. */
const criticalPercent = 10n
/** Above this share it is healthy, in percent. */
const healthyPercent = 50n
/** Less time than this is critical: a day, so that the owner can still react. */
const criticalSeconds = 86_400n
/** More time than this is healthy: 7 days. */
const healthySeconds = 7n * 86_400n
/** The owner is warned a day before the end. */
export const expiryWarningSeconds = 86_400n
/** The owner is warned when this share of the budget is left, in percent. */
export const budgetWarningPercent = 20n

/** The facts about a permission. */
export type PermissionState = {
  readonly revoked: boolean
  readonly dailyCap: bigint
  readonly remainingToday: bigint
  readonly secondsLeft: bigint
  /** The total signed duration. A short permission is judged by its own length. Default: a long one. */
  readonly windowSeconds?: bigint
}

/** A share of a window, in percent, capped at a fixed time. */
function shareOf(windowSeconds: bigint | undefined, percent: bigint, most: bigint): bigint {
  const share = windowSeconds === undefined ? most : (windowSeconds * percent) / 100n
  return share < most ? share : most
}

/**
 * Revoked takes precedence, then critical, then healthy; otherwise low.
 *
 * @example
 * permissionHealth({ revoked: false, dailyCap: 100n, remainingToday: 51n, secondsLeft: 864_000n }) //
 * 'healthy'
 */
export function permissionHealth({
  revoked,
  dailyCap,
  remainingToday,
  secondsLeft,
  windowSeconds,
}: PermissionState): PermissionHealth {
  if (revoked) return 'revoked'
  // A cap of zero has nothing left.
  const above = (percent: bigint) => remainingToday * 100n > dailyCap * percent
  const below = (percent: bigint) => dailyCap <= 0n || remainingToday * 100n < dailyCap * percent
  if (below(criticalPercent) || secondsLeft < shareOf(windowSeconds, criticalPercent, criticalSeconds))
    return 'critical'
  return above(healthyPercent) && secondsLeft > shareOf(windowSeconds, healthyPercent, healthySeconds)
    ? 'healthy'
    : 'low'
}

/**
 * The warnings that are due now.
 *
 * @example
 * permissionWarnings({ revoked: false, dailyCap: 100n, remainingToday: 20n, secondsLeft: 86_400n }) //
 * ['expiry', 'budget']
 */
export function permissionWarnings({
  dailyCap,
  remainingToday,
  secondsLeft,
  windowSeconds,
}: PermissionState): ('expiry' | 'budget')[] {
  const warnings: ('expiry' | 'budget')[] = []
  if (secondsLeft <= shareOf(windowSeconds, criticalPercent, expiryWarningSeconds)) warnings.push('expiry')
  if (remainingToday * 100n <= dailyCap * budgetWarningPercent) warnings.push('budget')
  return warnings
}
