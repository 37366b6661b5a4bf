import type { GolemSettings } from '../permission/golemParts.ts'
import type { Senses } from '../snapshot/tickPorts.ts'

const daySeconds = 86_400n

/**
 * The remaining funds after `lived` seconds: the larger of two. One is the budget of the settings minus the
 * daily costs; the
 * other is the owner's runway. So a runway can only lengthen a life, and after its end the budget remains.
 *
 * @param granted - the rest of the owner's runway; omitted if there is none
 */
export function economyAt(
  { runwayCents, dailyCosts }: GolemSettings['economy'],
  lived: bigint,
  granted = 0n,
): Senses['economy'] {
  const spent = costOf(dailyCosts, lived)
  const own = runwayCents > spent ? runwayCents - spent : 0n
  return { revenueCents: 0n, costs: dailyCosts, remainingCents: granted > own ? granted : own }
}

/** A received amount and its time in Unix seconds. */
export type Income = { readonly cents: bigint; readonly at: bigint }

/** The rest of the received amounts after the daily costs since. */
export function leftOfIncome(
  incomes: readonly Income[],
  dailyCosts: GolemSettings['economy']['dailyCosts'],
  now: bigint,
): bigint {
  const inOrder = incomes.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  const end = inOrder.reduce(
    ({ left, since }, { cents, at }) => ({ left: after(left, at - since) + cents, since: at }),
    { left: 0n, since: now },
  )
  return after(end.left, now - end.since)

  function after(cents: bigint, seconds: bigint): bigint {
    const cost = costOf(dailyCosts, seconds)
    return cents > cost ? cents - cost : 0n
  }
}

/** The cost of a life of `lived` seconds. */
export function costOf(dailyCosts: GolemSettings['economy']['dailyCosts'], lived: bigint): bigint {
  const { inference, gas, compute, data } = dailyCosts
  return lived > 0n ? ((inference + gas + compute + data) * lived) / daySeconds : 0n
}
