/** How a permission is doing. */
export type PermissionHealth = 'healthy' | 'low' | 'critical' | 'revoked'

/** Below this share of the daily cap it is critical, in percent. Origin: DESIGN §5. */
const criticalPercent = 10n
/** Above this share it is healthy, in percent. Origin: DESIGN §5. */
const healthyPercent = 50n
/** Less time than this is critical: a day. Origin: DESIGN §5. */
const criticalSeconds = 86_400n
/** More time than this is healthy: 7 days. Origin: DESIGN §5. */
const healthySeconds = 7n * 86_400n
/** An owner is warned of the end a day before. Origin: DESIGN §5a "warnings". */
export const expiryWarningSeconds = 86_400n
/** An owner is warned when this share of the budget is left, in percent. Origin: DESIGN §5a "warnings". */
export const budgetWarningPercent = 20n

/** What has to be known of a permission. */
export type PermissionState = {
  readonly revoked: boolean
  readonly dailyCap: bigint
  readonly remainingToday: bigint
  readonly secondsLeft: bigint
}

/** Revoked; else critical; else healthy; else low. */
export function permissionHealth({
  revoked,
  dailyCap,
  remainingToday,
  secondsLeft,
}: PermissionState): PermissionHealth {
  if (revoked) return 'revoked'
  // A cap of zero has nothing left of it.
  const above = (percent: bigint) => remainingToday * 100n > dailyCap * percent
  const below = (percent: bigint) => dailyCap <= 0n || remainingToday * 100n < dailyCap * percent
  if (below(criticalPercent) || secondsLeft < criticalSeconds) return 'critical'
  return above(healthyPercent) && secondsLeft > healthySeconds ? 'healthy' : 'low'
}

/** What an owner is to be warned of now. */
export function permissionWarnings({
  dailyCap,
  remainingToday,
  secondsLeft,
}: PermissionState): ('expiry' | 'budget')[] {
  const warnings: ('expiry' | 'budget')[] = []
  if (secondsLeft <= expiryWarningSeconds) warnings.push('expiry')
  if (remainingToday * 100n <= dailyCap * budgetWarningPercent) warnings.push('budget')
  return warnings
}
