import { BardoError } from '../errors/BardoError.ts'

/** The asset of entries in millionths of a dollar: costs that are owed in dollars, and the cost of positions. */
export const dollarAsset = 'usd'
/** The asset of entries in wei of the chain’s native currency. */
export const nativeAsset = 'native'

/** What an amount is worth: an annotation of the entry, at one price and block. */
export type Valuation = {
  /** Millionths of a dollar, with the sign of the amount, rounded towards zero. */
  readonly micros: bigint
  /** Dollars of one base unit, scaled as the price feed of the asset says. */
  readonly price: bigint
  readonly block: bigint
}

/** One side of a ledger transaction. */
export type LedgerEntry = {
  /** See {@link ledgerAccounts}. */
  readonly account: string
  /** A token address in lower case, `native` or `usd`. */
  readonly asset: string
  /** Base units; wei for `native`, millionths of a dollar for `usd`. */
  readonly amount: bigint
  /** Undefined without a price. Entries in `usd` need none. */
  readonly value?: Valuation
}

/** What happened. */
export type LedgerKind =
  | 'allotment'
  | 'runwayDraw'
  | 'payment'
  | 'gas'
  | 'inference'
  | 'compute'
  | 'data'
  | 'swap'
  | 'deposit'
  | 'withdrawal'
  | 'transfer'
  | 'undone'

/** Entries that belong together. The entries of each asset add up to zero. */
export type LedgerTransaction = {
  /** Unique for a Golem: a second transaction with the same source adds nothing. */
  readonly source: string
  readonly kind: LedgerKind
  /** Unix seconds. */
  readonly at: number
  /** The intent, the transaction hash, the model, the tier, …: plain text by name. */
  readonly details: Readonly<Record<string, string>>
  readonly entries: readonly LedgerEntry[]
}

/**
 * The accounts of a Golem’s ledger. A positive amount is what an account got; income is negative, as in every
 * double-entry ledger.
 *
 * | account | what it holds |
 * | --- | --- |
 * | `account` | what the owner's account gained or lost in the Golem's transactions |
 * | `before` | what the owner's account had before, as far as the Golem has used it |
 * | `key` | the native currency of the session keys |
 * | `owner` | the owner, outside of the account |
 * | `exchange` | the other side of swaps, deposits and withdrawals |
 * | `runway` | what was drawn on the runway |
 * | `payer` | those who paid the Golem |
 * | `allotment` | what the owner allows the Golem to live on |
 * | `cost:ASSET` | what the position in an asset cost, in dollars |
 * | `capital` | the owner's capital in these positions, in dollars |
 * | `gains`, `yield`, `payments` | revenue, in dollars |
 * | `gas`, `inference:TIER`, `compute`, `data` | costs |
 * | `owed:CREDITOR` | costs that are not paid yet |
 */
export const ledgerAccounts = {
  account: 'account',
  before: 'before',
  key: 'key',
  owner: 'owner',
  exchange: 'exchange',
  runway: 'runway',
  payer: 'payer',
  allotment: 'allotment',
  capital: 'capital',
  gains: 'gains',
  yield: 'yield',
  payments: 'payments',
  gas: 'gas',
  inference: (tier: string) => `inference:${tier}`,
  compute: 'compute',
  data: 'data',
  cost: (asset: string) => `cost:${asset}`,
  owed: (creditor: string) => `owed:${creditor}`,
} as const

/**
 * Throws if the entries of an asset do not add up to zero, or if there are none.
 *
 * @example
 * const entries = [{ account: 'compute', asset: 'usd', amount: 5n }, { account: 'owed:operator', asset: 'usd', amount: -5n }]
 * requireBalanced({ source: 'compute:1', kind: 'compute', at: 0, details: {}, entries })
 */
export function requireBalanced({ source, entries }: LedgerTransaction): void {
  const sums = new Map<string, bigint>()
  for (const { asset, amount } of entries) sums.set(asset, (sums.get(asset) ?? 0n) + amount)
  const open = [...sums].filter(([, sum]) => sum !== 0n)
  if (entries.length > 0 && open.length === 0) return
  throw new BardoError('The entries of a ledger transaction do not add up to zero.', {
    code: 'INVALID_INPUT',
    details: [source, ...open.map(([asset, sum]) => `${asset}: ${sum}`)],
  })
}
