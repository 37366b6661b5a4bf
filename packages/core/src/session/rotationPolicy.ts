/** When a key is replaced. */
export type RotationPolicy = {
  readonly maxOperations: number
  readonly maxAgeSeconds: bigint
  /** In hundredths of a percent of the signed budget. */
  readonly budgetFloorBps: bigint
}

/** The default policy: 10,000 operations, 7 days, a tenth of the budget. */
export const defaultRotationPolicy: RotationPolicy = {
  maxOperations: 10_000,
  maxAgeSeconds: 7n * 24n * 60n * 60n,
  budgetFloorBps: 1_000n,
}

/** Why a key is replaced: by the policy, because it may be stolen, or because it is lost. */
export type RotationReason = 'operations' | 'age' | 'budget-floor' | 'suspected' | 'lost'

/** The inputs of the policy. */
export type KeyUse = {
  /** Unix seconds. */
  readonly grantedAt: bigint
  readonly operations: number
  readonly budget: bigint
  readonly remaining: bigint
  /** The remaining budget when this key took over. */
  readonly remainingAtGrant: bigint
}

/**
 * The reason to rotate now, if any.
 *
 * A new key inherits its lineage's budget, so a key that starts below the floor is not rotated for that
 * reason: it would be rotated again at every tick.
 *
 * @example
 * const use = { grantedAt: 0n, operations: 10_000, budget: 100n, remaining: 50n, remainingAtGrant: 100n }
 * rotationReason(use, 60n) // 'operations'
 */
export function rotationReason(
  use: KeyUse,
  now: bigint,
  policy: RotationPolicy = defaultRotationPolicy,
): Exclude<RotationReason, 'suspected' | 'lost'> | undefined {
  if (use.operations >= policy.maxOperations) return 'operations'
  if (now - use.grantedAt >= policy.maxAgeSeconds) return 'age'
  const isBelowFloor = (amount: bigint) => amount * 10_000n < use.budget * policy.budgetFloorBps
  if (isBelowFloor(use.remaining) && !isBelowFloor(use.remainingAtGrant)) return 'budget-floor'
  return undefined
}
