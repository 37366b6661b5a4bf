import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { economicClock, metabolicState, selectInferenceTier } from '../economics/index.ts'
import { balancesOf } from './books.ts'
import { inferenceMicros } from './costs.ts'
import {
  afterTransaction,
  allotmentGranted,
  type Books,
  booksOf,
  dayUsed,
  economyOf,
  exchangeEntries,
  figuresOf,
  gasPaid,
  inferenceUsed,
  type LedgerEntry,
  type LedgerTransaction,
  type Moved,
  positionIn,
  requireBalanced,
  transferEntries,
  undoneTransaction,
} from './index.ts'

const [usdc, weth, shares] = ['0xa', '0xb', '0xc']
const day = 86_400
const worth = (micros: bigint) => ({ micros, price: 1n, block: 7n })
const moved = (asset: string, amount: bigint, micros?: bigint): Moved => ({
  asset,
  amount,
  ...(micros !== undefined && { value: worth(micros) }),
})
const asTransaction = (entries: readonly LedgerEntry[]): LedgerTransaction => ({
  source: 'test',
  kind: 'swap',
  at: 0,
  details: {},
  entries,
})
const balance = (entries: readonly LedgerEntry[], account: string, asset: string) =>
  balancesOf(entries).find((one) => one.account === account && one.asset === asset)?.amount ?? 0n

/** Records exchanges one after the other. */
function record(steps: readonly Parameters<typeof exchangeEntries>[1][]) {
  let books: Books = new Map()
  const all: LedgerEntry[] = []
  for (const step of steps) {
    const entries = exchangeEntries(books, step)
    requireBalanced(asTransaction(entries))
    books = afterTransaction(books, { entries })
    all.push(...entries)
  }
  return { books, all }
}

describe('an exchange', () => {
  it('realises the difference to the average cost, and the position keeps the rest of its cost', () => {
    const { books, all } = record([
      { type: 'swap', out: [moved(usdc, 100n, 100n)], into: [moved(weth, 10n, 100n)] },
      { type: 'swap', out: [moved(usdc, 200n, 200n)], into: [moved(weth, 10n, 200n)] },
      { type: 'swap', out: [moved(weth, 5n, 90n)], into: [moved(usdc, 90n, 90n)] },
    ])
    // The average cost of WETH is 15: five of them cost 75.
    expect(balance(all, 'gains', 'usd')).toBe(-15n)
    expect(positionIn(books, weth)).toEqual({ quantity: 15n, costMicros: 225n })
    expect(balance(all, 'account', usdc)).toBe(-210n)
    expect(balance(all, 'account', weth)).toBe(15n)
  })

  it('rounds the cost of a part up and leaves the rest of the cost to the last unit', () => {
    const { books, all } = record([
      { type: 'swap', out: [moved(usdc, 10n, 10n)], into: [moved(weth, 3n, 10n)] },
      { type: 'swap', out: [moved(weth, 1n, 5n)], into: [moved(usdc, 5n, 5n)] },
    ])
    expect(balance(all, 'gains', 'usd')).toBe(-1n)
    expect(positionIn(books, weth)).toEqual({ quantity: 2n, costMicros: 6n })
  })

  it('takes what the account had before at its value: selling it gains nothing', () => {
    const { all } = record([
      { type: 'swap', out: [moved(weth, 2n, 5_000n)], into: [moved(usdc, 5_000n, 5_000n)] },
    ])
    expect(balance(all, 'gains', 'usd')).toBe(0n)
    expect(balance(all, 'capital', 'usd')).toBe(-5_000n)
    expect(balance(all, 'account', weth)).toBe(-2n)
  })

  it('carries the cost into a vault, and the gain of leaving it is yield', () => {
    const { books, all } = record([
      { type: 'deposit', out: [moved(usdc, 100n, 100n)], into: [moved(shares, 1_000n)] },
      { type: 'withdrawal', out: [moved(shares, 500n)], into: [moved(usdc, 60n, 60n)] },
    ])
    expect(balance(all, 'yield', 'usd')).toBe(-10n)
    expect(positionIn(books, shares)).toEqual({ quantity: 500n, costMicros: 50n })
  })

  it('gains nothing without a price, also later', () => {
    const { all } = record([
      { type: 'swap', out: [moved(usdc, 100n)], into: [moved(weth, 10n)] },
      { type: 'swap', out: [moved(weth, 10n, 500n)], into: [moved(usdc, 500n, 500n)] },
    ])
    expect(balance(all, 'gains', 'usd')).toBe(0n)
  })

  const micros = fc.bigInt({ min: 0n, max: 10n ** 12n })
  const amount = fc.bigInt({ min: 1n, max: 10n ** 30n })
  const side = fc
    .array(fc.record({ asset: fc.constantFrom(usdc, weth, shares), amount, micros: fc.option(micros) }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((list) =>
      [...new Map(list.map((one) => [one.asset, one])).values()].map((one) =>
        moved(one.asset, one.amount, one.micros ?? undefined),
      ),
    )
  const step = fc.record({
    type: fc.constantFrom('swap', 'deposit', 'withdrawal'),
    out: side,
    into: side,
  })

  test('always balances, leaves no negative position, and counts every movement of the account', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const { books, all } = record(steps)
        for (const { quantity, costMicros } of books.values()) {
          expect(quantity).toBeGreaterThanOrEqual(0n)
          expect(costMicros).toBeGreaterThanOrEqual(0n)
        }
        for (const asset of [usdc, weth, shares]) {
          const sum = (list: readonly Moved[]) =>
            list.reduce((total, one) => (one.asset === asset ? total + one.amount : total), 0n)
          const change = steps.reduce((total, one) => total + sum(one.into) - sum(one.out), 0n)
          expect(balance(all, 'account', asset)).toBe(change)
        }
      }),
    )
  })

  test('realised plus unrealised gains are the change of value', () => {
    const priced = side.filter((list) => list.every(({ value }) => value !== undefined))
    fc.assert(
      fc.property(
        fc.array(fc.record({ type: fc.constantFrom('swap', 'withdrawal'), out: priced, into: priced })),
        fc.array(micros, { minLength: 3, maxLength: 3 }),
        (steps, values) => {
          const { books, all } = record(steps)
          const now = [usdc, weth, shares].flatMap((asset, at) =>
            positionIn(books, asset).quantity > 0n ? [{ asset, micros: values[at] ?? 0n }] : [],
          )
          const sum = (list: readonly bigint[]) => list.reduce((total, one) => total + one, 0n)
          const value = sum(now.map((one) => one.micros))
          const unrealised = sum(now.map((one) => one.micros - positionIn(books, one.asset).costMicros))
          const realised = -balance(all, 'gains', 'usd') - balance(all, 'yield', 'usd')
          const capital = -balance(all, 'capital', 'usd')
          expect(realised + unrealised).toBe(value - capital)
        },
      ),
    )
  })

  test('costs the same whatever the order of the purchases before a sale is', () => {
    const purchase = fc.record({ amount, micros })
    fc.assert(
      fc.property(fc.array(purchase, { minLength: 1, maxLength: 6 }), fc.nat(), (purchases, seed) => {
        const turned = [
          ...purchases.slice(seed % purchases.length),
          ...purchases.slice(0, seed % purchases.length),
        ]
        const end = (list: typeof purchases) => {
          const { books } = record(
            list.map((one) => ({
              type: 'swap' as const,
              out: [moved(usdc, one.micros + 1n, one.micros + 1n)],
              into: [moved(weth, one.amount, one.micros)],
            })),
          )
          return exchangeEntries(books, {
            type: 'swap',
            out: [moved(weth, 1n, 5n)],
            into: [moved(usdc, 5n, 5n)],
          })
        }
        expect(end(turned)).toEqual(end(purchases))
      }),
    )
  })
})

describe('a transfer', () => {
  it('enters the position at its value, from the owner or as a payment', () => {
    const drawn = transferEntries(new Map(), {
      direction: 'into',
      moved: moved(usdc, 9n, 9n),
      from: 'runway',
    })
    expect(balancesOf(drawn)).toEqual([
      { account: 'account', asset: usdc, amount: 9n },
      { account: 'capital', asset: 'usd', amount: -9n },
      { account: 'cost:0xa', asset: 'usd', amount: 9n },
      { account: 'runway', asset: usdc, amount: -9n },
    ])
    const paid = transferEntries(new Map(), {
      direction: 'into',
      moved: moved(usdc, 9n, 9n),
      from: 'payer',
      income: 'payments',
    })
    expect(balance(paid, 'payments', 'usd')).toBe(-9n)
  })

  it('leaves with its part of the cost', () => {
    const books = booksOf([
      { account: 'account', asset: usdc, amount: 10n },
      { account: 'cost:0xa', asset: 'usd', amount: 30n },
    ])
    const gone = transferEntries(books, { direction: 'out', moved: moved(usdc, 5n, 5n), from: 'key' })
    requireBalanced(asTransaction(gone))
    expect(balance(gone, 'cost:0xa', 'usd')).toBe(-15n)
    expect(balance(gone, 'capital', 'usd')).toBe(15n)
  })
})

describe('the economy', () => {
  const sumsOf = (list: readonly LedgerTransaction[]) =>
    list.flatMap(({ at, entries }) =>
      entries.map(({ account, asset, amount, value }) => ({
        account,
        day: Math.floor(at / day),
        micros: asset === 'usd' ? amount : (value?.micros ?? 0n),
      })),
    )
  const gas = (at: number, micros: bigint) =>
    gasPaid({ source: `gas:${at}`, at, details: {}, wei: 10n, payer: 'key', value: worth(micros) })
  const gain = (at: number, micros: bigint): LedgerTransaction => ({
    ...asTransaction([
      { account: 'gains', asset: 'usd', amount: -micros },
      { account: 'cost:0xa', asset: 'usd', amount: micros },
    ]),
    at,
  })
  const allotted = allotmentGranted('0x1', { micros: 30_000_000n, start: 0, at: 0 })
  const summaryOf = (list: readonly LedgerTransaction[], postedDays: number) => {
    const sums = sumsOf(list)
    return { lifetime: sums, recent: sums, since: 0, postedDays }
  }
  const prices = { compute: 50n, data: 0n }
  const at = (now: number, list: readonly LedgerTransaction[], postedDays = 0) =>
    economyOf(summaryOf([allotted, ...list], postedDays), prices, now)

  it('takes a day at least as the window, so that the first minutes are not a rate', () => {
    expect(at(600, [gas(60, 400_000n)]).costs).toEqual({ gas: 40n, inference: 0n, compute: 50n, data: 0n })
  })

  it('averages over the seven days of the window, and rounds costs up and revenue down', () => {
    const now = 20 * day
    const list = [gas(2 * day, 9_000_000n), gas(19 * day, 700_001n), gain(18 * day, 6_999_999n)]
    const { costs, revenueCents } = at(now, list, 20)
    // Six whole days and the start of the seventh.
    expect(costs.gas).toBe(12n)
    expect(revenueCents).toBe(116n)
  })

  it('charges compute and data continuously, whether their days are posted or not', () => {
    const posted = [0, 1].map((number) =>
      dayUsed('compute', number, { since: 0, micros: 500_000n, creditor: 'operator' }),
    )
    expect(at(2.5 * day, posted, 2).leftCents).toBe(2_875n)
    expect(at(2.5 * day, posted.slice(0, 1), 1).leftCents).toBe(2_875n)
    expect(at(2.5 * day, []).leftCents).toBe(2_875n)
  })

  it('adds revenue to what is left, and lets losses reduce the revenue only', () => {
    expect(at(day, [gain(60, 5_000_000n)]).leftCents).toBe(3_450n)
    const after = at(day, [gain(60, -50_000_000n)])
    expect(after.leftCents).toBe(2_950n)
    expect(after.revenueCents).toBe(0n)
  })

  it('lets a Golem that earns more than it costs outlive one that earns less', () => {
    const life = (dailyGain: bigint) => {
      const list: LedgerTransaction[] = []
      for (let today = 0; today < 365; today += 1) {
        list.push(gas(today * day, 500_000n), gain(today * day, dailyGain))
        if (at((today + 1) * day, list).leftCents <= 0n) return today + 1
      }
      return Number.POSITIVE_INFINITY
    }
    expect(life(0n)).toBe(30)
    expect(life(500_000n)).toBe(60)
    expect(life(1_100_000n)).toBe(Number.POSITIVE_INFINITY)
  })

  it('reaches the strongest model once the revenue covers the costs, and the economic clock goes up', () => {
    const lifeOf = (now: number, list: readonly LedgerTransaction[]) => {
      const { revenueCents, costs, leftCents } = at(now, list)
      const state = metabolicState(revenueCents, costs, leftCents)
      const clock = economicClock(state.projectedLifespanHours)
      return { clock, tier: selectInferenceTier(0.9, 0.9, state.sustainabilityRatio) }
    }
    const spent = gas(60, 27_000_000n)
    const poor = lifeOf(3_600, [spent])
    const losing = lifeOf(2 * 3_600, [spent, gain(3_700, 1_000_000n)])
    const earning = lifeOf(2 * 3_600, [spent, gain(3_700, 28_000_000n)])
    expect([poor.tier, losing.tier, earning.tier]).toEqual(['T1', 'T1', 'T2'])
    expect(earning.clock).toBeGreaterThan(poor.clock)
  })

  it('shows the cost of each model tier', () => {
    const price = { inputMicros: 1_000_000n, outputMicros: 2_000_000n }
    const used = (tier: 'T0' | 'T2', inputTokens: number) =>
      inferenceUsed(
        { source: `usage:${tier}`, at: 0, creditor: 'hosted' },
        { model: 'm', tier, inputTokens, outputTokens: 1 },
        price,
      )
    const { costs, spentMicros } = figuresOf(sumsOf([used('T0', 3), used('T2', 5)]))
    expect(costs.byTier).toEqual({ T0: 5n, T2: 7n })
    expect(spentMicros).toBe(12n)
    expect(inferenceMicros({ inputTokens: 1, outputTokens: 0 }, { inputMicros: 1n, outputMicros: 0n })).toBe(
      1n,
    )
  })
})

it('takes back exactly what a transaction posted', () => {
  const paid = gasPaid({ source: 'gas:1', at: 1, details: {}, wei: 5n, payer: 'key', value: worth(2n) })
  expect(balancesOf([...paid.entries, ...undoneTransaction(paid).entries])).toEqual([])
})

it('refuses a transaction that does not balance in an asset', () => {
  const paid = gasPaid({ source: 'gas:1', at: 1, details: {}, wei: 5n, payer: 'key' })
  const [first] = paid.entries
  if (!first) throw new Error('no entry')
  expect(() => requireBalanced({ ...paid, entries: [first] })).toThrow('native: -5')
  expect(() => requireBalanced({ ...paid, entries: [] })).toThrow()
})
