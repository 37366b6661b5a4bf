import {
  allotmentGranted,
  type DayPrices,
  dayUsed,
  economyOf,
  type LedgerTransaction,
  microsPerCent,
} from '@bardo/core'
import type { LedgerState } from '@bardo/store'
import type { Hash } from 'viem'

/** What a Golem lives on in one signed window, and the prices of a day. */
export type Living = {
  /** The hash of the root; for a child, of its own first link. */
  readonly root: Hash
  /** Unix seconds: the start of the signed window. A renewal begins a new one; a grant for another key does not. */
  readonly start: number
  readonly runwayCents: bigint
  readonly prices: DayPrices
}

/** To whom compute and data are owed. */
const operator = 'operator'
const daySeconds = 86_400
/** More days than this are posted by later ticks. */
const mostDays = 400

/**
 * The entries that are due by time alone: the allotment of a new window, and the completed days of compute and data.
 *
 * A new window fills up what is left to the runway of the settings. What the Golem earned above it stays.
 */
export function dueEntries(
  ledger: LedgerState,
  { root, start, runwayCents, prices }: Living,
  now: number,
): readonly LedgerTransaction[] {
  const due: LedgerTransaction[] = []
  const since = ledger.since ?? Math.min(start, now)
  if (ledger.allotment !== `allotment:${start}`) {
    const { leftCents } = economyOf({ ...ledger, since }, prices, now)
    const isFirst = ledger.since === undefined
    // The first allotment is whole: what was used since the start of the window is charged below.
    const missing = isFirst ? runwayCents : runwayCents - leftCents
    const micros = missing > 0n ? missing * microsPerCent : 0n
    due.push(allotmentGranted(root, { micros, start, at: isFirst ? since : now }))
  }
  const days = Math.floor((now - since) / daySeconds)
  for (let day = ledger.postedDays; day < Math.min(days, ledger.postedDays + mostDays); day += 1) {
    due.push(dayUsed('compute', day, { since, micros: prices.compute * microsPerCent, creditor: operator }))
    if (prices.data > 0n)
      due.push(dayUsed('data', day, { since, micros: prices.data * microsPerCent, creditor: operator }))
  }
  return due
}

/** The ledger as it is once transactions are posted. */
export function withEntries(ledger: LedgerState, transactions: readonly LedgerTransaction[]): LedgerState {
  const sums = transactions.flatMap(({ at, entries }) =>
    entries.map(({ account, asset, amount, value }) => ({
      account,
      day: Math.floor(at / daySeconds),
      micros: asset === 'usd' ? amount : (value?.micros ?? 0n),
    })),
  )
  const allotments = transactions.filter(({ kind }) => kind === 'allotment')
  return {
    ...ledger,
    lifetime: [...ledger.lifetime, ...sums],
    recent: [...ledger.recent, ...sums],
    since: ledger.since ?? allotments[0]?.at,
    allotment: allotments.at(-1)?.source ?? ledger.allotment,
    postedDays: ledger.postedDays + transactions.filter(({ kind }) => kind === 'compute').length,
  }
}
