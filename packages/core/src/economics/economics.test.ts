import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { phases } from '../phase/phase.ts'
import { economicClock } from './economicClock.ts'
import { needsAgreement, selectInferenceTier } from './inferenceTier.ts'
import { metabolicState, projectedLifespanHours } from './metabolism.ts'
import { cosine, modelAgreement, type StructuredOutput } from './modelAgreement.ts'
import { type PermissionState, permissionHealth, permissionWarnings } from './permissionHealth.ts'
import { redeemable } from './runwayShare.ts'

const costs = { inference: 50n, gas: 20n, compute: 20n, data: 10n }

describe('metabolism', () => {
  test.for<[bigint, string, number]>([
    [201n, 'thriving', 2.01],
    [200n, 'sustaining', 2],
    [100n, 'sustaining', 1],
    [99n, 'declining', 0.99],
    [50n, 'declining', 0.5],
    [49n, 'dying', 0.49],
    [0n, 'dying', 0],
  ])('with %d cents a day against 100 is %s', ([revenue, condition, ratio]) => {
    expect(metabolicState(revenue, costs, 1_000n)).toMatchObject({
      condition,
      sustainabilityRatio: ratio,
      projectedLifespanHours: 240,
    })
  })

  test('the lifespan is what the budget pays for, never negative, and infinite without costs', () => {
    expect(projectedLifespanHours(50n, 100n)).toBe(12)
    expect(projectedLifespanHours(-50n, 100n)).toBe(0)
    expect(projectedLifespanHours(0n, 0n)).toBe(0)
    expect(projectedLifespanHours(1n, 0n)).toBe(Number.POSITIVE_INFINITY)
    expect(() => metabolicState(-1n, costs, 0n)).toThrow(/must not be negative/)
    expect([economicClock(84), economicClock(1e9), economicClock(-1), economicClock(Number.NaN)]).toEqual([
      0.5, 1, 0, 0,
    ])
  })
})

describe('the model tier of a task', () => {
  test.for<[number, number, number, string]>([
    [0.29, 0.91, 9, 'T1'],
    [0.29, 0.9, 9, 'T0'],
    [0.3, 0.71, 9, 'T1'],
    [0.49, 0.7, 9, 'T0'],
    [0.5, 0.81, 1, 'T2'],
    [0.5, 0.8, 1, 'T1'],
    [0.5, 0.41, 1, 'T1'],
    [0.5, 0.4, 1, 'T0'],
    [0.9, 0.99, 0.99, 'T1'],
    [Number.NaN, 0.5, 1, 'T0'],
    [1, 1, Number.NaN, 'T1'],
  ])('vitality %d, criticality %d, ratio %d: %s', ([vitality, criticality, ratio, tier]) => {
    expect(selectInferenceTier(vitality, criticality, ratio)).toBe(tier)
  })

  test('needs a second model above 0.8, or if the criticality is unknown', () => {
    expect([needsAgreement(0.8), needsAgreement(0.81), needsAgreement(Number.NaN)]).toEqual([
      false,
      true,
      true,
    ])
  })
})

describe('two models', () => {
  const say = (modelId: string, output: StructuredOutput, action = 'swap') => ({
    modelId,
    action,
    output,
    confidence: 1,
  })
  const trade = { pair: 'USDC/WETH', amount: 100, side: 'buy' }

  test.for<[string, StructuredOutput, StructuredOutput, boolean]>([
    ['the same', trade, { ...trade }, true],
    ['nearly the same amount', trade, { ...trade, amount: 90 }, true],
    ['another side', trade, { ...trade, side: 'sell' }, false],
    ['an amount of another magnitude', { amount: 1_000 }, { amount: 10 }, false],
    ['amounts of opposite sign', { amount: 5 }, { amount: -5 }, false],
    ['an empty output', trade, {}, false],
    ['NaN', { amount: Number.NaN }, { amount: Number.NaN }, false],
  ])('with outputs that are: %s', ([, a, b, approved]) => {
    expect(modelAgreement(say('a', a), say('b', b)).approved).toBe(approved)
  })

  test('must be different models, with the same action', () => {
    expect(modelAgreement(say('a', trade), say('a', trade)).approved).toBe(false)
    expect(modelAgreement(say('a', trade), say('b', trade, 'bridge')).approved).toBe(false)
  })

  test('have a symmetric agreement between 0 and 1, and agree fully with themselves', () => {
    const json = fc.jsonValue() as fc.Arbitrary<StructuredOutput>
    fc.assert(
      fc.property(json, json, (a, b) => {
        const likeness = cosine(a, b)
        expect(likeness).toBeGreaterThanOrEqual(0)
        expect(likeness).toBeLessThanOrEqual(1)
        expect(cosine(b, a)).toBeCloseTo(likeness, 12)
        expect(cosine(a, a)).toBeCloseTo(1, 12)
      }),
    )
  })
})

test('a draw is the phase’s share of the cap, less what was drawn', () => {
  expect(phases.map((phase) => redeemable(1_000n, 0n, phase))).toEqual([1_000n, 1_000n, 500n, 100n, 0n])
  expect(redeemable(1_000n, 450n, 'conservation')).toBe(50n)
  expect(redeemable(1_000n, 600n, 'conservation')).toBe(0n)
  expect(redeemable(1_000n, -5n, 'thriving')).toBe(1_000n)
})

describe('a permission', () => {
  const day = 86_400n
  const state = (remainingToday: bigint, secondsLeft: bigint, revoked = false): PermissionState => ({
    revoked,
    dailyCap: 100n,
    remainingToday,
    secondsLeft,
  })

  test.for<[bigint, bigint, string]>([
    [51n, 7n * day + 1n, 'healthy'],
    [50n, 7n * day + 1n, 'low'],
    [51n, 7n * day, 'low'],
    [10n, day, 'low'],
    [9n, 30n * day, 'critical'],
    [100n, day - 1n, 'critical'],
  ])('with %d of 100 and %d seconds left is %s', ([remaining, seconds, health]) => {
    expect(permissionHealth(state(remaining, seconds))).toBe(health)
    expect(permissionHealth(state(remaining, seconds, true))).toBe('revoked')
  })

  test('with a cap of zero is critical', () => {
    expect(
      permissionHealth({ revoked: false, dailyCap: 0n, remainingToday: 0n, secondsLeft: 99n * day }),
    ).toBe('critical')
  })

  test('gives a warning a day before its end, and at a fifth of its budget', () => {
    expect(permissionWarnings(state(20n, day))).toEqual(['expiry', 'budget'])
    expect(permissionWarnings(state(21n, day + 1n))).toEqual([])
  })
})
