import { dollarAsset, type LedgerEntry, type LedgerTransaction, ledgerAccounts } from './ledgerTransaction.ts'

/** The balance of each account and asset. */
export type Balance = { readonly account: string; readonly asset: string; readonly amount: bigint }

/** What the owner's account holds of an asset and the Golem has an account of, and what it cost in dollars. */
export type BookPosition = { readonly quantity: bigint; readonly costMicros: bigint }

/** The positions of a Golem by asset. */
export type Books = ReadonlyMap<string, BookPosition>

const { account, before, cost } = ledgerAccounts
const nothing: BookPosition = { quantity: 0n, costMicros: 0n }

/**
 * The position in an asset; nothing if it is not in the books.
 *
 * @example
 * positionIn(new Map(), '0xab').quantity // 0n
 */
export function positionIn(books: Books, asset: string): BookPosition {
  return books.get(asset) ?? nothing
}

/**
 * The positions that balances or entries add up to.
 *
 * @example
 * booksOf([{ account: 'account', asset: '0xab', amount: 2n }, { account: 'cost:0xab', asset: 'usd', amount: 10n }])
 * // Map { '0xab' → { quantity: 2n, costMicros: 10n } }
 */
export function booksOf(balances: readonly Balance[], from: Books = new Map()): Books {
  const books = new Map(from)
  const add = (asset: string, quantity: bigint, costMicros: bigint) => {
    const known = positionIn(books, asset)
    books.set(asset, { quantity: known.quantity + quantity, costMicros: known.costMicros + costMicros })
  }
  const costPrefix = cost('')
  for (const { account: name, asset, amount } of balances) {
    if (name === account || name === before) add(asset, amount, 0n)
    else if (asset === dollarAsset && name.startsWith(costPrefix))
      add(name.slice(costPrefix.length), 0n, amount)
  }
  return books
}

/**
 * The books after a transaction.
 *
 * @example
 * const bought = { entries: [{ account: 'account', asset: '0xab', amount: 2n }] }
 * positionIn(afterTransaction(new Map(), bought), '0xab').quantity // 2n
 */
export function afterTransaction(books: Books, { entries }: Pick<LedgerTransaction, 'entries'>): Books {
  return booksOf(entries, books)
}

/**
 * The sums of entries by account and asset, without those that are zero, in a fixed order.
 *
 * @example
 * balancesOf([{ account: 'key', asset: 'native', amount: 3n }, { account: 'key', asset: 'native', amount: -1n }])[0].amount // 2n
 */
export function balancesOf(entries: readonly LedgerEntry[]): readonly Balance[] {
  const sums = new Map<string, Balance>()
  for (const { account: name, asset, amount } of entries) {
    const key = `${name} ${asset}`
    sums.set(key, { account: name, asset, amount: (sums.get(key)?.amount ?? 0n) + amount })
  }
  return [...sums.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, balance]) => (balance.amount === 0n ? [] : [balance]))
}
