import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultSchedule } from '../heartbeatFile/heartbeatSchedule.ts'
import { calm } from '../mood/mood.ts'
import { account, judge } from './judge.ts'
import { heartbeatAnomaly, missedTicks } from './missedTicks.ts'
import { nextInterval, type Pulse } from './nextInterval.ts'
import { publicationDue } from './publicationDue.ts'
import { createLife } from './testing/life.ts'

describe('the interval', () => {
  const good: Pulse = { vitality: 1, volatility: 0, health: 'healthy', graceSeconds: 0 }
  const next = (change: Partial<Pulse> = {}) => nextInterval(defaultSchedule, { ...good, ...change })

  it('is shorter in a wild market and near a bound, longer when life runs out', () => {
    expect(next()).toBe(300)
    expect(next({ vitality: 0.7 })).toBe(300)
    expect(next({ vitality: 0 })).toBe(600)
    expect(next({ volatility: 1 })).toBe(75)
    expect(next({ health: 'critical' })).toBe(150)
    expect(next({ volatility: 1, health: 'low' })).toBe(38)
  })

  it('stays within the schedule and within half the grace period, whatever the numbers', () => {
    expect(next({ graceSeconds: 100 })).toBe(50)
    const pulse = fc.record({
      vitality: fc.double(),
      volatility: fc.double(),
      health: fc.constantFrom('healthy' as const, 'low' as const, 'critical' as const, 'revoked' as const),
      graceSeconds: fc.nat(10_000),
    })
    fc.assert(
      fc.property(pulse, (given) => {
        const seconds = nextInterval(defaultSchedule, given)
        expect(Number.isInteger(seconds)).toBe(true)
        expect(seconds).toBeGreaterThanOrEqual(1)
        expect(seconds).toBeLessThanOrEqual(3_600)
        if (given.graceSeconds > 1) expect(seconds).toBeLessThanOrEqual(given.graceSeconds / 2)
        else if (given.graceSeconds === 0) expect(seconds).toBeGreaterThanOrEqual(30)
      }),
    )
  })
})

describe('a publication', () => {
  const wanted = { phase: 'stable', survivalScore: 6_000, dreaming: false, mood: calm } as const
  const shown = { ...wanted, at: 1_000 }

  it('is due when the chain shows something else, or is half a grace old', () => {
    const due = (change: object, now = 1_000) => publicationDue({ ...shown, ...change }, wanted, now, 600)
    expect(due({})).toBeUndefined()
    expect(due({ phase: 'thriving' })).toBe('phase')
    expect(due({ dreaming: true })).toBe('dream')
    expect(due({ mood: { ...calm, arousal: 10 } })).toBe('mood')
    expect(due({ survivalScore: 5_501 })).toBeUndefined()
    expect(due({ survivalScore: 5_500 })).toBe('score')
    expect(due({}, 1_299)).toBeUndefined()
    expect(due({}, 1_300)).toBe('heartbeat')
    expect(publicationDue(shown, wanted, 9_999_999, 0)).toBeUndefined()
  })
})

describe('missed ticks', () => {
  const state = { nextTickAt: 1_000, intervalSeconds: 300 }

  it('are counted in whole intervals from when one was due', () => {
    expect([999, 1_299, 1_300, 1_899, 1_900].map((now) => missedTicks(state, 0, now))).toEqual([
      0, 0, 1, 2, 3,
    ])
    expect(heartbeatAnomaly(state, 0, 1_899)).toBeUndefined()
    expect(heartbeatAnomaly(state, 0, 1_900)).toEqual({ name: 'heartbeat.anomaly', missed: 3, dueAt: 1_000 })
  })

  it('count only while somebody watched, and never for a clock that went back', () => {
    expect(missedTicks(state, 50_000, 50_299)).toBe(0)
    expect(missedTicks(state, 50_000, 50_900)).toBe(3)
    expect(missedTicks(state, 0, -5)).toBe(0)
  })
})

describe('account and judge', () => {
  it('take the least of three clocks, the economic one by how long the money lasts', async () => {
    const life = createLife()
    const senses = await life.ports.sense(life.stored)
    const costs = { inference: 50n, gas: 30n, compute: 10n, data: 10n }
    const poorer = { ...senses, economy: { revenueCents: 150n, costs, remainingCents: 350n } }
    const metabolism = account(poorer)
    expect(metabolism).toMatchObject({
      dailyCostCents: 100n,
      sustainabilityRatio: 1.5,
      projectedLifespanHours: 84,
    })
    expect(judge(metabolism, poorer)).toEqual({ vitality: 0.5, survivalScore: 5_000 })
    expect(judge(metabolism, { ...poorer, epistemic: 0.25 }).survivalScore).toBe(2_500)
    expect(judge(metabolism, { ...poorer, stochastic: 0 }).survivalScore).toBe(0)
  })
})
