import { type Books, positionIn } from './books.ts'
import { dollarAsset, type LedgerEntry, ledgerAccounts, type Valuation } from './ledgerTransaction.ts'

/** An amount that entered or left the owner's account, without a sign, and its value if there is a price. */
export type Moved = { readonly asset: string; readonly amount: bigint; readonly value?: Valuation }

const { account, before, owner, exchange, capital, cost } = ledgerAccounts

/** What a trade is, for its gain: a deposit has none, and the gain of leaving a vault is yield. */
export type ExchangeKind = 'swap' | 'deposit' | 'withdrawal'

/**
 * The entries of an exchange in the owner's account: what left it, and what entered it.
 *
 * Each sold unit costs the average of its position, rounded up; a position that is sold out costs all that is left.
 * What the account had before and is sold for the first time enters the books at its value at this moment: it gains
 * nothing. The bought assets cost what they are worth on arrival. The difference is the realised gain. A deposit
 * carries the cost over to the shares and gains nothing. Without a price on the way in, the value on the way out
 * counts; without any price, the cost is carried over, so that nothing is gained.
 *
 * @example
 * const worth = (micros: bigint) => ({ micros, price: 1n, block: 1n })
 * const out = [{ asset: '0xaa', amount: 10n, value: worth(10n) }]
 * const into = [{ asset: '0xbb', amount: 5n, value: worth(9n) }]
 * exchangeEntries(new Map(), { type: 'swap', out, into }).at(-1).amount // 1n
 */
export function exchangeEntries(
  books: Books,
  {
    type,
    out,
    into,
  }: { readonly type: ExchangeKind; readonly out: readonly Moved[]; readonly into: readonly Moved[] },
): readonly LedgerEntry[] {
  const worthIn = worthOf(into)
  const worthOut = worthOf(out)
  const entries: LedgerEntry[] = []
  let soldMicros = 0n
  for (const sold of out) {
    const left = leave(books, sold, worthIn !== undefined && out.length === 1 ? worthIn : undefined)
    entries.push(...left.entries, ...both(exchange, sold.asset, sold.amount, sold.value))
    soldMicros += left.costMicros
  }
  const boughtMicros = type === 'deposit' ? soldMicros : (worthIn ?? worthOut ?? soldMicros)
  entries.push(...spread(into, boughtMicros))
  const gain = boughtMicros - soldMicros
  const income = type === 'withdrawal' ? ledgerAccounts.yield : ledgerAccounts.gains
  return [...entries, ...(gain === 0n ? [] : [{ account: income, asset: dollarAsset, amount: -gain }])]

  /** What was bought, each with its part of the cost by value; the last one gets the rest. */
  function spread(bought: readonly Moved[], micros: bigint): readonly LedgerEntry[] {
    const total = worthOf(bought)
    let rest = micros
    return bought.flatMap((one, index) => {
      const isLast = index === bought.length - 1
      const share = isLast ? rest : partOf(micros, one.value?.micros ?? 0n, total ?? 0n)
      rest -= share
      return [
        ...both(exchange, one.asset, -one.amount, one.value && negative(one.value)),
        // What has neither a price nor a cost enters no position: a later sale gains nothing by it.
        ...(share === 0n && !one.value ? outside(one) : costEntry(one.asset, share)),
      ]
    })
  }
}

/**
 * The entries of an amount that enters the owner's account from outside, or leaves it.
 *
 * It enters the position at its value. Without a price it enters no position, and a later sale gains nothing by it.
 *
 * @example
 * const moved = { asset: '0xaa', amount: 10n }
 * transferEntries(new Map(), { direction: 'into', moved, from: 'runway' })[0].amount // 10n
 */
export function transferEntries(
  books: Books,
  {
    direction,
    moved,
    from,
    income = capital,
  }: {
    readonly direction: 'into' | 'out'
    readonly moved: Moved
    /** The account on the other side. */
    readonly from: string
    /** The account that the value comes from. Default: the owner's capital. */
    readonly income?: string
  },
): readonly LedgerEntry[] {
  const { asset, amount, value } = moved
  if (direction === 'out') {
    const left = leave(books, moved)
    return [
      ...left.entries,
      ...both(from, asset, amount, value),
      ...(left.costMicros === 0n ? [] : [{ account: capital, asset: dollarAsset, amount: left.costMicros }]),
    ]
  }
  const entered = both(from, asset, -amount, value && negative(value))
  if (!value) return [...entered, ...outside(moved)]
  if (value.micros === 0n) return entered
  return [
    ...entered,
    ...costEntry(asset, value.micros),
    { account: income, asset: dollarAsset, amount: -value.micros },
  ]
}

/** Takes an amount out of its position. What the books do not have yet enters them first, at its value. */
function leave(
  books: Books,
  { asset, amount, value }: Moved,
  otherValue?: bigint,
): { readonly costMicros: bigint; readonly entries: readonly LedgerEntry[] } {
  const known = positionIn(books, asset)
  const missing = amount > known.quantity ? amount - known.quantity : 0n
  const addedMicros =
    missing > 0n ? partOf(value?.micros ?? otherValue ?? 0n, missing < amount ? missing : amount, amount) : 0n
  const quantity = known.quantity + missing
  const allMicros = known.costMicros + addedMicros
  // Rounded up, so that a gain is never rounded up; the last unit takes what is left.
  const costMicros = amount === quantity ? allMicros : (allMicros * amount + quantity - 1n) / quantity
  return {
    costMicros,
    entries: [
      ...(missing > 0n
        ? [
            { account: before, asset, amount: missing },
            { account: owner, asset, amount: -missing },
          ]
        : []),
      ...(addedMicros > 0n
        ? [...costEntry(asset, addedMicros), { account: capital, asset: dollarAsset, amount: -addedMicros }]
        : []),
      ...costEntry(asset, -costMicros),
    ],
  }
}

/** An amount that an account other than the owner's gets from it; negative if the owner's account gets it. */
function both(other: string, asset: string, amount: bigint, value?: Valuation): readonly LedgerEntry[] {
  return [
    { account, asset, amount: -amount, ...(value && { value: negative(value) }) },
    { account: other, asset, amount, ...(value && { value }) },
  ]
}

/** Keeps an amount that the account holds out of the position. */
function outside({ asset, amount }: Moved): readonly LedgerEntry[] {
  return [
    { account: before, asset, amount: -amount },
    { account: owner, asset, amount },
  ]
}

function costEntry(asset: string, amount: bigint): readonly LedgerEntry[] {
  return amount === 0n ? [] : [{ account: cost(asset), asset: dollarAsset, amount }]
}

/** The value of all; undefined if one has no price, or there are none. */
function worthOf(moved: readonly Moved[]): bigint | undefined {
  if (moved.length === 0) return undefined
  return moved.reduce<bigint | undefined>(
    (sum, { value }) => (sum === undefined || !value ? undefined : sum + value.micros),
    0n,
  )
}

/** `whole` × part ÷ total, rounded down. */
function partOf(whole: bigint, part: bigint, total: bigint): bigint {
  return total === 0n ? 0n : (whole * part) / total
}

function negative({ micros, ...at }: Valuation): Valuation {
  return { ...at, micros: -micros }
}
