import { centsUp, microsPerCent } from '../caveats/measure/prices.ts'
import type { DailyCosts } from '../economics/metabolism.ts'
import { ledgerAccounts } from './ledgerTransaction.ts'

/** The sum of an account in one UTC day, in millionths of a dollar. Entries without a price are left out. */
export type DaySum = { readonly account: string; readonly day: number; readonly micros: bigint }

/** Days of the window over which revenue and costs are averaged, the current one included. */
const windowDays = 7
const daySeconds = 86_400

/** What a Golem earned and spent, in millionths of a dollar. */
export type LedgerFigures = {
  /** Realised gains, yield and payments; below zero after losses. */
  readonly earnedMicros: bigint
  readonly spentMicros: bigint
  readonly costs: {
    readonly gas: bigint
    readonly compute: bigint
    readonly data: bigint
    readonly inference: bigint
    /** The part of each tier of the models. */
    readonly byTier: Readonly<Record<string, bigint>>
  }
  readonly revenue: { readonly gains: bigint; readonly yield: bigint; readonly payments: bigint }
  /** What the owner allowed it to live on. */
  readonly allottedMicros: bigint
}

/**
 * The figures of all days, or of the days from one on.
 *
 * @example
 * figuresOf([{ account: 'gains', day: 1, micros: -5n }, { account: 'gas', day: 1, micros: 2n }]).earnedMicros // 5n
 */
export function figuresOf(sums: readonly DaySum[], from = Number.NEGATIVE_INFINITY): LedgerFigures {
  const total = (account: string) =>
    sums.reduce((sum, one) => (one.account === account && one.day >= from ? sum + one.micros : sum), 0n)
  const prefix = ledgerAccounts.inference('')
  const tiers = [...new Set(sums.flatMap(({ account }) => (account.startsWith(prefix) ? [account] : [])))]
  const byTier = Object.fromEntries(
    tiers.toSorted().map((account) => [account.slice(prefix.length), total(account)]),
  )
  const inference = Object.values(byTier).reduce((sum, micros) => sum + micros, 0n)
  const costs = {
    gas: total(ledgerAccounts.gas),
    compute: total(ledgerAccounts.compute),
    data: total(ledgerAccounts.data),
    inference,
    byTier,
  }
  const revenue = {
    gains: -total(ledgerAccounts.gains),
    yield: -total(ledgerAccounts.yield),
    payments: -total(ledgerAccounts.payments),
  }
  return {
    earnedMicros: revenue.gains + revenue.yield + revenue.payments,
    spentMicros: costs.gas + costs.compute + costs.data + inference,
    costs,
    revenue,
    allottedMicros: total(ledgerAccounts.allotment),
  }
}

/** The prices of a day, in cents. */
export type DayPrices = Pick<DailyCosts, 'compute' | 'data'>

/** A ledger as far as the economy needs it. */
export type LedgerSummary = {
  /** The sums of all days, each as one. */
  readonly lifetime: readonly DaySum[]
  /** The sums of the days of the window, each by itself. Older days are ignored. */
  readonly recent: readonly DaySum[]
  /** Unix seconds of the first allotment; undefined before it. */
  readonly since: number | undefined
  /** Completed days whose compute and data are posted. */
  readonly postedDays: number
}

/** The economy of a Golem at a time, in cents. */
export type LedgerEconomy = {
  /** A day of the window. Losses lower the revenue to zero at most: they are no cost of living. */
  readonly revenueCents: bigint
  /** A day of the window; compute and data at their prices. Rounded up. */
  readonly costs: DailyCosts
  /** Allotment and revenue minus all costs, also of the part of the day that is not posted. May be negative. Rounded up. */
  readonly leftCents: bigint
}

/**
 * The economy at a time in Unix seconds. Revenue, gas and inference are daily averages over the current UTC day and the
 * six days before it, or since the first allotment if that is later, but over one whole day at least: the costs of the
 * first minutes are not a day's rate.
 *
 * @example
 * const sums = [{ account: 'allotment', day: 0, micros: 30_000_000n }]
 * economyOf({ lifetime: sums, recent: sums, since: 0, postedDays: 0 }, { compute: 50n, data: 0n }, 86_400).leftCents // 2_950n
 */
export function economyOf(
  { lifetime, recent, since, postedDays }: LedgerSummary,
  prices: DayPrices,
  now: number,
): LedgerEconomy {
  const start = since ?? now
  const firstDay = Math.floor(now / daySeconds) - windowDays + 1
  const seconds = BigInt(Math.max(daySeconds, Math.floor(now) - Math.max(start, firstDay * daySeconds)))
  const window = figuresOf(recent, firstDay)
  const all = figuresOf(lifetime)
  const costOf = (micros: bigint) =>
    centsUp((atLeastZero(micros) * BigInt(daySeconds) + seconds - 1n) / seconds)
  const openSeconds = BigInt(Math.max(0, Math.floor(now) - start - postedDays * daySeconds))
  const accrued = ((prices.compute + prices.data) * microsPerCent * openSeconds) / BigInt(daySeconds)
  const left = all.allottedMicros + atLeastZero(all.earnedMicros) - all.spentMicros - accrued
  return {
    revenueCents: (atLeastZero(window.earnedMicros) * BigInt(daySeconds)) / seconds / microsPerCent,
    costs: {
      inference: costOf(window.costs.inference),
      gas: costOf(window.costs.gas),
      compute: prices.compute,
      data: prices.data,
    },
    leftCents: left > 0n ? centsUp(left) : left / microsPerCent,
  }
}

const atLeastZero = (amount: bigint) => (amount > 0n ? amount : 0n)
