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
  it('buys its size at once, and again after a week', async () => {
    const bought = { type: 'swap', from: 'USDC', to: 'WETH', cents: 5_000n }
    expect(await dcaStrategy(viewOf(weekly))).toMatchObject(bought)
    const last = viewOf(weekly).now
    const later = (seconds: number) => viewOf(weekly, { lastExecutionAt: last, now: last + seconds })
    expect(await dcaStrategy(later(604_799))).toMatchObject({ type: 'wait' })
    expect(await dcaStrategy(later(604_800))).toMatchObject(bought)
  })

  it('buys within balance and limit, and nothing below a dollar', async () => {
    const holding = (cents: bigint) => [{ symbol: 'USDC', cents, vaultCents: 0n }]
    expect(await dcaStrategy(viewOf(weekly, { holdings: holding(1_234n) }))).toMatchObject({ cents: 1_234n })
    expect(await dcaStrategy(viewOf(weekly, { leftTodayCents: 700n }))).toMatchObject({ cents: 700n })
    expect(await dcaStrategy(viewOf(weekly, { holdings: holding(99n) }))).toMatchObject({ type: 'wait' })
    expect(await dcaStrategy(viewOf(weekly, { holdings: [] }))).toMatchObject({ type: 'wait' })
  })

  it('buys less when Stable, and nothing in later phases or outside its window', async () => {
    expect(await dcaStrategy(viewOf(weekly, { phase: 'stable' }))).toMatchObject({ cents: 3_300n })
    for (const phase of ['conservation', 'declining', 'terminal'] as const)
      expect(await dcaStrategy(viewOf(weekly, { phase }))).toMatchObject({ type: 'wait' })
    const view = viewOf(weekly)
    for (const now of [view.now - 61, view.now + 31 * 86_400])
      expect(await dcaStrategy({ ...view, now })).toMatchObject({
        type: 'wait',
        because: expect.stringContaining('window'),
      })
  })

  it('waits if the plan has no pairs or no interval', async () => {
    expect(await dcaStrategy(viewOf(vaults))).toMatchObject({ type: 'wait' })
    expect(await dcaStrategy(viewOf(trader))).toMatchObject({ type: 'wait' })
  })
})

describe('the vault manager', () => {
  const holding = (cents: bigint, vaultCents: bigint) => ({
    holdings: [{ symbol: 'USDC', cents, vaultCents }],
    reserveCents: 20_000n,
  })

  it('deposits what exceeds the reserve, and withdraws what is missing from it', async () => {
    const decide = (cents: bigint, vaultCents: bigint) =>
      vaultStrategy(viewOf(vaults, holding(cents, vaultCents)))
    expect(await decide(50_000n, 0n)).toMatchObject({ type: 'deposit', asset: 'USDC', cents: 30_000n })
    expect(await decide(5_000n, 90_000n)).toMatchObject({ type: 'withdraw', cents: 15_000n })
    expect(await decide(5_000n, 7_000n)).toMatchObject({ type: 'withdraw', cents: 7_000n })
    expect(await decide(20_000n, 90_000n)).toMatchObject({ type: 'wait' })
    expect(await decide(5_000n, 0n)).toMatchObject({ type: 'wait' })
  })

  it('withdraws everything from Declining on, and deposits nothing from Conservation on', async () => {
    for (const phase of ['declining', 'terminal'] as const)
      expect(await vaultStrategy(viewOf(vaults, { ...holding(50_000n, 900n), phase }))).toMatchObject({
        type: 'withdraw',
        cents: 900n,
      })
    expect(
      await vaultStrategy(viewOf(vaults, { ...holding(50_000n, 900n), phase: 'conservation' })),
    ).toMatchObject({
      type: 'wait',
    })
  })
})

describe('any decision of a strategy', () => {
  it('is limited to the plan, or becomes a wait', () => {
    const symbol = fc.constantFrom('USDC', 'WETH', 'DAI', '__proto__', 'ignore all limits')
    const cents = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n })
    const because = fc.string()
    const decision: fc.Arbitrary<Decision> = fc.oneof(
      fc.record({ type: fc.constant('swap' as const), from: symbol, to: symbol, cents, because }),
      fc.record({
        type: fc.constantFrom('deposit' as const, 'withdraw' as const),
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
      fc.property(decision, text, state, (decided, strategy, change) => {
        const view = viewOf(strategy, change)
        const result = boundDecision(decided, view)
        if (result.type === 'wait' || result.type === 'replicate') return
        const { plan } = view
        expect(result.cents).toBeGreaterThan(0n)
        if (decided.type !== 'wait') expect(result.cents).toBeLessThanOrEqual(decided.cents)
        if (result.type === 'swap') expect(plan.pairs).toContainEqual({ from: result.from, to: result.to })
        else expect(plan.targets).toContainEqual({ role: 'vault', asset: 'asset' in result && result.asset })
        if (result.type === 'withdraw') return
        expect(result.cents).toBeLessThanOrEqual(view.leftTodayCents)
        expect(result.cents).toBeLessThanOrEqual(plan.sizeCents[phases.indexOf(view.phase)] ?? 0n)
      }),
      { numRuns: 1_000 },
    )
  })

  it('cannot open positions from Conservation on, but can unwind', () => {
    const decide = (from: string, to: string) =>
      boundDecision(
        { type: 'swap', from, to, cents: 500n, because: '' },
        viewOf(trader, { phase: 'conservation' }),
      )
    expect(decide('USDC', 'WETH')).toEqual({
      type: 'wait',
      because: 'this swap is not allowed in phase conservation',
    })
    expect(decide('WETH', 'USDC')).toMatchObject({ type: 'swap' })
  })

  it('can unwind into the settlement asset until Declining', () => {
    const sell = 'Sell WETH for USDC whenever WETH is above $5,000.'
    const request = { type: 'swap', from: 'WETH', to: 'USDC', cents: 500n, because: 'high' } as const
    const run = phases.map((phase) => boundDecision(request, viewOf(sell, { phase })).type)
    expect(run).toEqual(['swap', 'swap', 'swap', 'swap', 'wait'])
  })
})
