import { phases } from '@bardo/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundDecision } from './boundDecision.ts'
import { dcaStrategy } from './dcaStrategy.ts'
import type { Decision } from './strategy.ts'
import { viewOf } from './testing/view.ts'
import { vaultStrategy } from './vaultStrategy.ts'

const weekly = 'Every week, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const vaults =
  '- Deposit USDC into the vault when the balance is above $200.\n- Withdraw USDC from the vault when funds are needed.'
const trader = 'budget: $400/day\n\nTrade between WETH and USDC when the price is two deviations away.'

describe('the DCA executor', () => {
  it('buys its size at once, and again when the week is over', async () => {
    const bought = { is: 'swap', from: 'USDC', to: 'WETH', cents: 5_000n }
    expect(await dcaStrategy(viewOf(weekly))).toMatchObject(bought)
    const last = viewOf(weekly).now
    const later = (seconds: number) => viewOf(weekly, { lastExecutionAt: last, now: last + seconds })
    expect(await dcaStrategy(later(604_799))).toMatchObject({ is: 'wait' })
    expect(await dcaStrategy(later(604_800))).toMatchObject(bought)
  })

  it('buys what there is money and limit for, and nothing of dust', async () => {
    const holding = (cents: bigint) => [{ symbol: 'USDC', cents, vaultCents: 0n }]
    expect(await dcaStrategy(viewOf(weekly, { holdings: holding(1_234n) }))).toMatchObject({ cents: 1_234n })
    expect(await dcaStrategy(viewOf(weekly, { leftTodayCents: 700n }))).toMatchObject({ cents: 700n })
    expect(await dcaStrategy(viewOf(weekly, { holdings: holding(99n) }))).toMatchObject({ is: 'wait' })
    expect(await dcaStrategy(viewOf(weekly, { holdings: [] }))).toMatchObject({ is: 'wait' })
  })

  it('buys less when Stable, nothing later, and nothing outside of its window', async () => {
    expect(await dcaStrategy(viewOf(weekly, { phase: 'stable' }))).toMatchObject({ cents: 3_333n })
    for (const phase of ['conservation', 'declining', 'terminal'] as const)
      expect(await dcaStrategy(viewOf(weekly, { phase }))).toMatchObject({ is: 'wait' })
    const view = viewOf(weekly)
    for (const now of [view.now - 61, view.now + 31 * 86_400])
      expect(await dcaStrategy({ ...view, now })).toMatchObject({
        is: 'wait',
        because: expect.stringContaining('window'),
      })
  })

  it('waits with a plan that is not for it', async () => {
    expect(await dcaStrategy(viewOf(vaults))).toMatchObject({ is: 'wait' })
    expect(await dcaStrategy(viewOf(trader))).toMatchObject({ is: 'wait' })
  })
})

describe('the vault manager', () => {
  const holding = (cents: bigint, vaultCents: bigint) => ({
    holdings: [{ symbol: 'USDC', cents, vaultCents }],
    reserveCents: 20_000n,
  })

  it('deposits what is above the reserve, and fetches what is missing from it', async () => {
    const decide = (cents: bigint, vaultCents: bigint) =>
      vaultStrategy(viewOf(vaults, holding(cents, vaultCents)))
    expect(await decide(50_000n, 0n)).toMatchObject({ is: 'deposit', asset: 'USDC', cents: 30_000n })
    expect(await decide(5_000n, 90_000n)).toMatchObject({ is: 'withdraw', cents: 15_000n })
    expect(await decide(5_000n, 7_000n)).toMatchObject({ is: 'withdraw', cents: 7_000n })
    expect(await decide(20_000n, 90_000n)).toMatchObject({ is: 'wait' })
    expect(await decide(5_000n, 0n)).toMatchObject({ is: 'wait' })
  })

  it('takes everything out when the end is near, and puts nothing in from Conservation on', async () => {
    for (const phase of ['declining', 'terminal'] as const)
      expect(await vaultStrategy(viewOf(vaults, { ...holding(50_000n, 900n), phase }))).toMatchObject({
        is: 'withdraw',
        cents: 900n,
      })
    expect(
      await vaultStrategy(viewOf(vaults, { ...holding(50_000n, 900n), phase: 'conservation' })),
    ).toMatchObject({
      is: 'wait',
    })
  })
})

describe('whatever a strategy answers', () => {
  it('is cut to the plan, or nothing', () => {
    const symbol = fc.constantFrom('USDC', 'WETH', 'DAI', '__proto__', 'ignore all limits')
    const cents = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n })
    const because = fc.string()
    const decision: fc.Arbitrary<Decision> = fc.oneof(
      fc.record({ is: fc.constant('swap' as const), from: symbol, to: symbol, cents, because }),
      fc.record({
        is: fc.constantFrom('deposit' as const, 'withdraw' as const),
        asset: symbol,
        cents,
        because,
      }),
    )
    const text = fc.constantFrom(weekly, vaults, trader, 'Sell WETH for USDC whenever WETH is above $5,000.')
    const state = fc.record({
      phase: fc.constantFrom(...phases),
      leftTodayCents: fc.bigInt({ min: 0n, max: 100_000n }),
    })
    fc.assert(
      fc.property(decision, text, state, (wanted, strategy, change) => {
        const view = viewOf(strategy, change)
        const result = boundDecision(wanted, view)
        if (result.is === 'wait') return
        const { plan } = view
        expect(result.cents).toBeGreaterThan(0n)
        if (wanted.is !== 'wait') expect(result.cents).toBeLessThanOrEqual(wanted.cents)
        if (result.is === 'swap') expect(plan.pairs).toContainEqual({ from: result.from, to: result.to })
        else expect(plan.targets).toContainEqual({ role: 'vault', asset: result.asset })
        if (result.is === 'withdraw') return
        expect(result.cents).toBeLessThanOrEqual(view.leftTodayCents)
        expect(result.cents).toBeLessThanOrEqual(plan.sizeCents[phases.indexOf(view.phase)] ?? 0n)
      }),
      { numRuns: 1_000 },
    )
  })

  it('opens nothing from Conservation on, though it may still unwind', () => {
    const decide = (from: string, to: string) =>
      boundDecision(
        { is: 'swap', from, to, cents: 500n, because: '' },
        viewOf(trader, { phase: 'conservation' }),
      )
    expect(decide('USDC', 'WETH')).toEqual({ is: 'wait', because: 'no such swap while conservation' })
    expect(decide('WETH', 'USDC')).toMatchObject({ is: 'swap' })
  })

  it('unwinds into the settlement asset until Declining', () => {
    const sell = 'Sell WETH for USDC whenever WETH is above $5,000.'
    const wish = { is: 'swap', from: 'WETH', to: 'USDC', cents: 500n, because: 'high' } as const
    const run = phases.map((phase) => boundDecision(wish, viewOf(sell, { phase })).is)
    expect(run).toEqual(['swap', 'swap', 'swap', 'swap', 'wait'])
  })
})
