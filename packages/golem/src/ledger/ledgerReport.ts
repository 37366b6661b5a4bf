import {
  type AddressBook,
  type Balance,
  dollarAsset,
  figuresOf,
  type LedgerEntry,
  ledgerAccounts,
  microsPerCent,
  nativeAsset,
} from '@bardo/core'
import type { PostedTransaction, Store } from '@bardo/store'
import { formatUnits, type Hash } from 'viem'
import { z } from 'zod'
import { centsOf } from '../snapshot/prices.ts'

const cents = z.string().describe('US cents, since the Golem was summoned')
const optionalCents = cents.nullable().describe('US cents; null without a price')

/** What a Golem earned and spent, for tools and screens. */
export const ledgerFields = z.strictObject({
  earnedCents: cents.describe('Realised gains, yield and payments; below zero after losses'),
  spentCents: cents.describe('Gas, inference, compute and data'),
  netCents: cents.describe('Earned minus spent: the profit or loss since the Golem was summoned'),
  revenue: z.strictObject({ gains: cents, yield: cents, payments: cents }),
  costs: z.strictObject({ gas: cents, inference: cents, compute: cents, data: cents }),
  inferenceByTier: z.record(z.string(), cents),
  gasWei: z.string(),
  gasUnpricedWei: z.string().describe('The part of gasWei without a price, which is not in the dollars'),
  allottedCents: cents.describe('What the owner allowed it to live on'),
  owed: z.array(z.strictObject({ to: z.string(), cents })).describe('Costs that are not paid yet'),
  tokens: z
    .array(z.strictObject({ symbol: z.string(), amount: z.string(), cents: optionalCents }))
    .describe('What its transactions changed in the owner’s account, at the current prices'),
})

/** The values of {@link ledgerFields}. */
export type LedgerJson = z.output<typeof ledgerFields>

/** A name and the decimals of each asset of a ledger. */
export type AssetNames = (asset: string) => { readonly symbol: string; readonly decimals: number | undefined }

const { account, gas, owed } = ledgerAccounts
const feedDecimals = 8

/** The names of the assets of a ledger. An unknown token keeps its address, and its amount is in base units. */
export function assetNames({ assets, vaults }: Pick<AddressBook, 'assets' | 'vaults'>): AssetNames {
  const known = new Map<string, ReturnType<AssetNames>>([
    [nativeAsset, { symbol: 'ETH', decimals: 18 }],
    [dollarAsset, { symbol: 'USD', decimals: 6 }],
    ...[...assets].map(
      ([symbol, { token, scale }]) =>
        [token.toLowerCase(), { symbol, decimals: scale - feedDecimals }] as const,
    ),
    ...[...vaults].map(
      ([symbol, vault]) =>
        [vault.toLowerCase(), { symbol: `${symbol} vault shares`, decimals: undefined }] as const,
    ),
  ])
  return (asset) => known.get(asset) ?? { symbol: asset, decimals: undefined }
}

/**
 * The figures of a ledger, from the store alone.
 *
 * @param prices - the current prices by symbol, in dollars with eight decimals
 */
export async function readLedgerJson(
  { ledger }: Pick<Store, 'ledger'>,
  golem: Hash,
  book: Pick<AddressBook, 'assets' | 'vaults'>,
  prices: readonly { readonly symbol: string; readonly price: bigint }[] = [],
): Promise<LedgerJson> {
  const [{ lifetime }, balances, unpriced] = await Promise.all([
    ledger.state(golem),
    ledger.balances(golem),
    ledger.unpriced(golem),
  ])
  const { earnedMicros, spentMicros, costs, revenue, allottedMicros } = figuresOf(lifetime)
  const names = assetNames(book)
  const balance = (of: readonly Balance[], name: string, asset: string) =>
    of.find((one) => one.account === name && one.asset === asset)?.amount ?? 0n
  const prefix = owed('')
  return {
    earnedCents: centsText(earnedMicros),
    spentCents: centsText(spentMicros),
    netCents: centsText(earnedMicros - spentMicros),
    revenue: {
      gains: centsText(revenue.gains),
      yield: centsText(revenue.yield),
      payments: centsText(revenue.payments),
    },
    costs: {
      gas: centsText(costs.gas),
      inference: centsText(costs.inference),
      compute: centsText(costs.compute),
      data: centsText(costs.data),
    },
    inferenceByTier: Object.fromEntries(
      Object.entries(costs.byTier).map(([tier, micros]) => [tier, centsText(micros)]),
    ),
    gasWei: `${balance(balances, gas, nativeAsset)}`,
    gasUnpricedWei: `${balance(unpriced, gas, nativeAsset)}`,
    allottedCents: centsText(allottedMicros),
    owed: balances.flatMap(({ account: name, asset, amount }) =>
      name.startsWith(prefix) && asset === dollarAsset
        ? [{ to: name.slice(prefix.length), cents: centsText(-amount) }]
        : [],
    ),
    tokens: balances.flatMap(({ account: name, asset, amount }) => {
      if (name !== account) return []
      const { symbol, decimals } = names(asset)
      const priced = book.assets.get(symbol)
      const price = prices.find((one) => one.symbol === symbol)?.price
      return [
        {
          symbol,
          amount: amountText(amount, decimals),
          cents: priced && price !== undefined ? `${centsOf(amount, price, priced)}` : null,
        },
      ]
    }),
  }
}

/** An entry for tools and screens. */
function entryJson({ account: name, asset, amount, value }: LedgerEntry, names: AssetNames) {
  const { symbol, decimals } = names(asset)
  const micros = asset === dollarAsset ? amount : value?.micros
  return {
    account: named(name, names),
    symbol,
    amount: amountText(amount, decimals),
    baseUnits: `${amount}`,
    cents: micros === undefined ? null : centsText(micros),
    price: value ? { dollars: formatUnits(value.price, feedDecimals), block: `${value.block}` } : null,
  }
}

/** A transaction for tools and screens. */
export function transactionJson(
  { number, source, kind, at, details, entries, hash }: PostedTransaction,
  names: AssetNames,
) {
  return {
    number,
    at: new Date(at * 1_000).toISOString(),
    kind,
    source,
    details,
    hash,
    entries: entries.map((entry) => entryJson(entry, names)),
  }
}

/** A balance for tools and screens. */
export function balanceJson({ account: name, asset, amount }: Balance, names: AssetNames) {
  const { symbol, decimals } = names(asset)
  return {
    account: named(name, names),
    symbol,
    amount: amountText(amount, decimals),
    baseUnits: `${amount}`,
  }
}

/** The account of the cost of a position names the asset. */
function named(name: string, names: AssetNames): string {
  const prefix = ledgerAccounts.cost('')
  return name.startsWith(prefix) ? `${prefix}${names(name.slice(prefix.length)).symbol}` : name
}

function amountText(amount: bigint, decimals = 0): string {
  return formatUnits(amount, decimals)
}

/** Cents, rounded to the nearest. */
function centsText(micros: bigint): string {
  const half = micros < 0n ? -(microsPerCent / 2n) : microsPerCent / 2n
  return `${(micros + half) / microsPerCent}`
}
