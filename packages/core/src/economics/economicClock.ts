/** A life of this length counts as full: the default window of 7 days. */
export const fullLifespanHours = 7 * 24

/**
 * The economic clock from 1 to 0: the part of a full life that the budget still pays for. Income raises it.
 *
 * @example
 * economicClock(84) // 0.5
 */
export function economicClock(projectedLifespanHours: number): number {
  if (!(projectedLifespanHours > 0)) return 0
  return Math.min(1, projectedLifespanHours / fullLifespanHours)
}
