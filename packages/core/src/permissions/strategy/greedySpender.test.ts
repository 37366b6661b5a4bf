import fc from 'fast-check'
import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import type { CageTerms } from '../../caveats/cage/cageTerms.ts'
import { cage } from '../../caveats/cage.ts'
import { bucketSeconds, spendFromBudget, spentNow } from '../../caveats/measure/rollingBudget.ts'
import { leastOf } from '../leastOf.ts'
import { type AddressBook, toCageTerms } from '../toCageTerms.ts'
import { compileStrategy } from './compileStrategy.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as const
const symbols = ['USDC', 'WBTC', 'WETH']
const asset = (place: number) => ({ token: at(`${place}`), feed: zeroAddress, maxAgeSeconds: 0, scale: 14 })
const book: AddressBook = {
  assets: new Map(symbols.map((symbol, place) => [symbol, asset(place + 1)])),
  pools: new Map(),
  vaults: new Map([['USDC', at('4')]]),
  contracts: { swapRouter02: at('5') },
}
const subject = { golem: `0x${'ab'.repeat(32)}`, account: at('9'), graceSeconds: 0 } as const
const [hour, day] = [3_600, 86_400]

/** What a sentence states, as an owner would check it against the outflows of the account. */
type Bound =
  | { readonly type: 'size' | 'total'; readonly dollars: number }
  /** In any window of this length, its end excluded. */
  | { readonly type: 'window'; readonly seconds: number; readonly dollars: number }
  | { readonly type: 'times'; readonly seconds: number; readonly most: number }
  | { readonly type: 'calls'; readonly most: number }
  | { readonly type: 'life'; readonly seconds: number }
type Said = { readonly text: string; readonly bounds: readonly Bound[] }

const dollars = fc.constantFrom(1, 3, 7, 10, 25, 60, 99)
const window = (seconds: number, most: number): Bound => ({ type: 'window', seconds, dollars: most })

const ask: fc.Arbitrary<Said> = fc
  .tuple(
    dollars,
    fc.constantFrom('WETH', 'WBTC'),
    fc.constantFrom<readonly [string, number]>(
      ['', 0],
      [' every hour', hour],
      [' every 6 hours', 6 * hour],
      [' twice a day', 12 * hour],
      [' daily', day],
      [' every 2 days', 2 * day],
      [' every week', 7 * day],
      [' every month', 31 * day],
      [' every ten minutes', 600],
    ),
  )
  .map(([size, to, [often, every]]) => ({
    text: `Swap $${size} of USDC to ${to}${often}.`,
    bounds: [
      { type: 'size', dollars: size } as const,
      ...(every > 0 ? [window(every, size), { type: 'times', seconds: every, most: 1 } as const] : []),
      ...(every > 0 ? [window(day, size * Math.ceil(day / every))] : []),
    ],
  }))
const once: fc.Arbitrary<Said> = dollars.map((size) => ({
  text: `Swap $${size} of USDC to WETH once.`,
  bounds: [
    { type: 'calls', most: 1 },
    { type: 'total', dollars: size },
  ],
}))
const bare: fc.Arbitrary<Said> = fc
  .constantFrom(
    'Sell WETH to USDC.',
    'Deposit USDC into the vault.',
    'Swap USDC to WETH.',
    'Withdraw USDC from the vault.',
  )
  .map((text) => ({ text, bounds: [] }))
const limit: fc.Arbitrary<Said> = fc.oneof(
  dollars.map((most) => ({ text: `Spend at most $${most} a day.`, bounds: [window(day, most)] })),
  dollars.map((most) => ({
    text: `Never spend more than $${most} in any 24 hours.`,
    bounds: [window(day, most)],
  })),
  dollars.map((most) => ({ text: `Spend at most $${most} per week.`, bounds: [window(7 * day, most)] })),
  dollars.map((most) => ({
    text: `Spend at most $${most * 10} per month.`,
    bounds: [window(31 * day, most * 10)],
  })),
  dollars.map((most) => ({ text: `budget: $${most}/day`, bounds: [window(day, most)] })),
  dollars.map((most) => ({ text: `budget: $${most * 5}/week`, bounds: [window(7 * day, most * 5)] })),
  dollars.map(
    (most): Said => ({ text: `At most $${most} per trade.`, bounds: [{ type: 'size', dollars: most }] }),
  ),
  dollars.map(
    (most): Said => ({
      text: `Spend at most $${most * 3} in total.`,
      bounds: [{ type: 'total', dollars: most * 3 }],
    }),
  ),
  fc.constantFrom(2, 3, 5).map(
    (most): Said => ({
      text: `At most ${most} trades a day.`,
      bounds: [{ type: 'times', seconds: day, most }],
    }),
  ),
  fc
    .constantFrom(2, 4)
    .map((most): Said => ({ text: `At most ${most} trades.`, bounds: [{ type: 'calls', most }] })),
)
const life: fc.Arbitrary<Said> = fc
  .tuple(
    fc.constantFrom(
      'Run for N days.',
      'Stop after N days.',
      'lifespan: N days',
      'Run for N days, then stop.',
    ),
    fc.constantFrom(2, 14, 40),
  )
  .map(([text, days]) => ({
    text: text.replace('N', `${days}`),
    bounds: [{ type: 'life', seconds: days * day }],
  }))
const noise: fc.Arbitrary<Said> = fc
  .constantFrom(
    'Each replicant spends at most $900 a day.',
    'Never hold more than 30% in WETH.',
    'Be careful.',
    'WETH costs $4,000.',
  )
  .map((text) => ({ text, bounds: [] }))

const strategy = fc
  .tuple(
    fc.oneof(ask, ask, once, bare),
    fc.array(fc.oneof(ask, bare, limit, limit, noise), { maxLength: 4 }),
    fc.option(life, { nil: undefined }),
    fc.integer({ min: 0, max: 4 }),
  )
  .map(([first, others, lasts, place]) => {
    const said = [...others.slice(0, place), first, ...others.slice(place), ...(lasts ? [lasts] : [])]
    return { text: said.map(({ text }) => text).join('\n\n'), bounds: said.flatMap(({ bounds }) => bounds) }
  })

type Spent = { readonly at: number; readonly cents: bigint }

/** Takes as much as the decoded terms allow, as soon as they allow it; sometimes it waits or takes less. */
function spendGreedily(terms: CageTerms, whims: readonly number[]): Spent[] {
  const size = BigInt(terms.dollarsByPhase[0]) * 100n
  const spent: Spent[] = []
  let word = 0n
  let [now, whim] = [terms.start, 0]
  const next = () => whims[whim++ % whims.length] ?? 0
  while (now <= terms.end && spent.length < 20_000) {
    if (terms.calls > 0 && spent.length >= terms.calls) break
    const left = leastOf(terms.dayCents - spentNow(word, BigInt(now)), ...leftOfTotals(terms, spent, now))
    const most = leastOf(left, size)
    if (size === 0n || terms.dayCents === 0n) break
    if (most > 0n) {
      const cents = next() % 7 === 3 ? (most + 1n) / 2n : most
      word = spendFromBudget(word, BigInt(now), cents, terms.dayCents)
      spent.push({ at: now, cents })
      now += Math.max(terms.cadenceSeconds, next() % 5 === 0 ? next() % day : 0)
    } else if (
      leftOfTotals(
        { totals: (terms.totals ?? []).filter(({ periodSeconds }) => periodSeconds === 0) },
        spent,
        now,
      ).includes(0n)
    )
      break
    else now = Number((BigInt(now) / bucketSeconds + 1n) * bucketSeconds)
  }
  return spent
}

/** What each total leaves, in the sixths of a period by which the contract counts. */
function leftOfTotals(
  { totals = [] }: Pick<CageTerms, 'totals'>,
  spent: readonly Spent[],
  now: number,
): bigint[] {
  return totals.map(({ periodSeconds, cents }) => {
    const part = periodSeconds / 6
    const counts = ({ at: when }: Spent) =>
      periodSeconds === 0 || Math.floor(now / part) - Math.floor(when / part) < 7
    return cents - spent.filter(counts).reduce((sum, one) => sum + one.cents, 0n)
  })
}

/** The maximum in any window, its end excluded. */
function mostWithin(spent: readonly Spent[], seconds: number, of: (one: Spent) => number): number {
  let [most, sum, first] = [0, 0, 0]
  for (const one of spent) {
    sum += of(one)
    while ((spent[first]?.at ?? one.at) <= one.at - seconds) {
      const gone = spent[first]
      if (gone) sum -= of(gone)
      first += 1
    }
    most = Math.max(most, sum)
  }
  return most
}

function isExceeded(spent: readonly Spent[], start: number, bound: Bound): boolean {
  const cents = (one: Spent) => Number(one.cents)
  switch (bound.type) {
    case 'size':
      return spent.some((one) => cents(one) > bound.dollars * 100)
    case 'total':
      return mostWithin(spent, Number.POSITIVE_INFINITY, cents) > bound.dollars * 100
    case 'window':
      return mostWithin(spent, bound.seconds, cents) > bound.dollars * 100
    case 'times':
      return mostWithin(spent, bound.seconds, () => 1) > bound.most
    case 'calls':
      return spent.length > bound.most
    case 'life':
      return (spent.at(-1)?.at ?? start) > start + bound.seconds
  }
}

function exceeded(spent: readonly Spent[], start: number, bounds: readonly Bound[]): Bound[] {
  return bounds.filter((bound) => isExceeded(spent, start, bound))
}

const termsOf = (text: string, now: number): CageTerms | undefined => {
  const { plan } = compileStrategy(text, { now: BigInt(now), symbols })
  return plan.classes.length === 0 ? undefined : cage.decode(cage.encode(toCageTerms(plan, book, subject)))
}

test('no use of the signed terms exceeds a stated number', () => {
  let used = 0
  fc.assert(
    fc.property(
      strategy,
      fc.integer({ min: 1_800_000_000, max: 1_800_100_000 }),
      fc.array(fc.nat(100_000), { minLength: 1, maxLength: 40 }),
      ({ text, bounds }, now, whims) => {
        const terms = termsOf(text, now)
        if (!terms) return
        const spent = spendGreedily(terms, whims)
        used += spent.length > 0 ? 1 : 0
        expect(exceeded(spent, terms.start, bounds)).toEqual([])
      },
    ),
    { seed: 20_261_116, numRuns: 1_500 },
  )
  // The property is not vacuous: most of these strategies do spend.
  expect(used).toBeGreaterThan(1_000)
})

test('the spender detects a number that is signed too wide', () => {
  const { text, bounds } = { text: 'Swap $10 of USDC to WETH daily.', bounds: [window(day, 10)] }
  const terms = termsOf(text, 1_800_000_000)
  if (!terms) throw new TypeError('Nothing is granted.')
  expect(exceeded(spendGreedily(terms, [0]), terms.start, bounds)).toEqual([])
  for (const wide of [
    { cadenceSeconds: 0 },
    { cadenceSeconds: day - 1 },
    { dollarsByPhase: [11, 6, 0, 0, 0] as const },
  ])
    expect(exceeded(spendGreedily({ ...terms, ...wide }, [1]), terms.start, bounds)).toEqual(bounds)
})
