import { type DailyCosts, type DayPrices, economyOf } from '@bardo/core'
import type { LedgerState } from '@bardo/store'
import type { Senses } from '../snapshot/tickPorts.ts'

const daySeconds = 86_400n

/**
 * The economy of a ledger at a time in Unix seconds. What remains is the larger of two. One is what the ledger leaves of
 * the allotment and of the revenue; the other is the owner's runway. So a runway can only lengthen a life, and after its
 * end the allotment remains.
 *
 * @param given - what the Golem's children got of it
 * @param granted - the rest of the owner's runway; omitted if there is none
 */
export function economyAt(
  ledger: LedgerState,
  prices: DayPrices,
  now: number,
  { given = 0n, granted = 0n }: { readonly given?: bigint; readonly granted?: bigint } = {},
): Senses['economy'] {
  const { revenueCents, costs, leftCents } = economyOf(ledger, prices, now)
  const own = leftCents > given ? leftCents - given : 0n
  return { revenueCents, costs, remainingCents: granted > own ? granted : own }
}

/** A received amount and its time in Unix seconds. */
export type Income = { readonly cents: bigint; readonly at: bigint }

/** The rest of the received amounts after the daily costs since. */
export function leftOfIncome(incomes: readonly Income[], dailyCosts: DailyCosts, now: bigint): bigint {
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
function costOf(dailyCosts: DailyCosts, lived: bigint): bigint {
  const { inference, gas, compute, data } = dailyCosts
  return lived > 0n ? ((inference + gas + compute + data) * lived) / daySeconds : 0n
}
