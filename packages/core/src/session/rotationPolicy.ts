/** When a key is replaced. */
export type RotationPolicy = {
  readonly maxOperations: number
  readonly maxAgeSeconds: bigint
  /** In hundredths of a percent of the signed budget. */
  readonly budgetFloorBps: bigint
}

/** The spec's policy: 10,000 operations, 7 days, a tenth of the budget. */
export const defaultRotationPolicy: RotationPolicy = {
  maxOperations: 10_000,
  maxAgeSeconds: 7n * 24n * 60n * 60n,
  budgetFloorBps: 1_000n,
}

/** Why a key is replaced: by the policy, because somebody else may hold it, or because nobody does any more. */
export type RotationReason = 'operations' | 'age' | 'budget-floor' | 'suspected' | 'lost'

/** What the policy looks at. */
export type KeyUse = {
  /** Unix seconds. */
  readonly grantedAt: bigint
  readonly operations: number
  readonly budget: bigint
  readonly remaining: bigint
  /** What remained when this key took over. */
  readonly remainingAtGrant: bigint
}

/**
 * The reason to rotate now, if there is one.
 *
 * A new key inherits its lineage's budget (P6), so a key that starts below the floor is not rotated for being there:
 * it would be again at every tick.
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
