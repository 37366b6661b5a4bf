import fc from 'fast-check'
import { zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { cage } from '../caveats/cage.ts'
import { readSignedPlan } from './readSignedPlan.ts'
import { compileStrategy } from './strategy/compileStrategy.ts'
import { type AddressBook, toCageTerms } from './toCageTerms.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as const
const book: AddressBook = {
  assets: new Map([
    ['USDC', { token: at('1'), feed: zeroAddress, maxAgeSeconds: 0, scale: 14 }],
    ['WETH', { token: at('2'), feed: at('e'), maxAgeSeconds: 3_600, scale: 26 }],
    ['WBTC', { token: at('8'), feed: at('d'), maxAgeSeconds: 3_600, scale: 16 }],
  ]),
  pools: new Map([['USDC/WETH', at('3')]]),
  vaults: new Map([['USDC', at('4')]]),
  contracts: { swapRouter02: at('5'), positionManager: at('6') },
}
const subject = { golem: `0x${'ab'.repeat(32)}`, account: at('9'), graceSeconds: 3_600 } as const
const strategies = [
  'DCA $20 of USDC into WETH every week.\nlifespan: 30 days',
  'Deposit USDC in the vault, and withdraw from it.\nbudget: $10/day',
  'Swap USDC to WETH and WBTC to USDC.\nbudget: $60/day',
]
const signed = (text: string, on = book) =>
  cage.encode(
    toCageTerms(compileStrategy(text, { now: 100n, symbols: [...on.assets.keys()] }).plan, on, subject),
  )

describe('a plan that is read from signed terms', () => {
  it.each(strategies)('encodes to the same bytes again: %s', (text) => {
    const bytes = signed(text)
    const { plan, book: addresses } = readSignedPlan(cage.decode(bytes), book)
    expect(cage.encode(toCageTerms(plan, addresses, subject))).toBe(bytes)
  })

  it('names what the owner reads: assets, pairs, vault, sizes in whole dollars, window', () => {
    const { plan } = readSignedPlan(cage.decode(signed(strategies[0] ?? '')), book)
    expect(plan).toMatchObject({
      assets: ['USDC', 'WETH'],
      pairs: [{ from: 'USDC', to: 'WETH' }],
      targets: [{ role: 'swapRouter02' }],
      cadenceSeconds: 604_800,
      window: { start: 100n, end: 100n + 30n * 86_400n },
      settlement: 'USDC',
    })
    expect(plan.sizeCents[0]).toBe(2_000n)
    expect(readSignedPlan(cage.decode(signed(strategies[1] ?? '')), book).plan.targets).toContainEqual({
      role: 'vault',
      asset: 'USDC',
    })
  })

  it('keeps the signed addresses, whatever another address book says', () => {
    const bytes = signed(strategies[2] ?? '')
    const other: AddressBook = {
      ...book,
      assets: new Map([['USDC', { token: at('1'), feed: at('f'), maxAgeSeconds: 9, scale: 3 }]]),
      contracts: { swapRouter02: at('c') },
    }
    const read = readSignedPlan(cage.decode(bytes), other)
    expect(read.book.contracts).toEqual({ swapRouter02: at('5') })
    expect(read.book.assets.get('USDC')).toEqual(book.assets.get('USDC'))
    // A token that the book no longer names is named by its address.
    expect(read.plan.assets).toContain(at('2'))
    expect(cage.encode(toCageTerms(read.plan, read.book, subject))).toBe(bytes)
  })

  it('never allows a pair, class or amount beyond the terms, for any terms', () => {
    const bits = fc.record({
      classes: fc.integer({ min: 0, max: 0xfff }),
      pairs: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
      dollars: fc.integer({ min: 0, max: 1_000_000 }),
      settlement: fc.constantFrom(0, 1, 255),
    })
    fc.assert(
      fc.property(bits, ({ classes, pairs, dollars, settlement }) => {
        const base = cage.decode(signed(strategies[0] ?? ''))
        const terms = { ...base, classes, pairs, settlement, dollarsByPhase: [dollars, 0, 0, 0, 0] as const }
        const { plan, book: addresses } = readSignedPlan(terms, book)
        const again = toCageTerms(plan, addresses, subject)
        expect(again.classes).toBe(classes)
        expect(again.dollarsByPhase[0]).toBe(dollars)
        expect(again.settlement).toBe(settlement)
        // Pairs of missing assets are dropped; all others are kept.
        const real = [0, 1].flatMap((from) => [0, 1].map((to) => 1n << BigInt(8 * from + to)))
        expect(again.pairs).toBe(real.reduce((sum, bit) => sum | (pairs & bit), 0n))
      }),
    )
  })
})
