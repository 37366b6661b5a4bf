/** A life that lasts this long counts as whole. Origin: ours; the default window of 7 days, spec 003. */
export const fullLifespanHours = 7 * 24

/** The economic clock from 1 to 0: how much of a full life the budget still pays for. It goes up when money comes in. */
export function economicClock(projectedLifespanHours: number): number {
  if (!(projectedLifespanHours > 0)) return 0
  return Math.min(1, projectedLifespanHours / fullLifespanHours)
}
