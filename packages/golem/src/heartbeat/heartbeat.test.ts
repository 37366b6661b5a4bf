import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultSchedule } from '../config/heartbeatSchedule.ts'
import { calm } from '../mood/mood.ts'
import { type Awake, stayAwake } from '../worker/awake.ts'
import { heartbeatAnomaly, missedTicks, unclaimedFor } from '../worker/missedTicks.ts'
import { account, assessVitality } from './assessVitality.ts'
import { nextInterval, type Pulse } from './nextInterval.ts'
import { publicationDue } from './publicationDue.ts'
import { createLife } from './testing/life.ts'

describe('the interval', () => {
  const good: Pulse = { vitality: 1, volatility: 0, health: 'healthy', graceSeconds: 0 }
  const next = (change: Partial<Pulse> = {}) => nextInterval(defaultSchedule, { ...good, ...change })

  it('is shorter in a volatile market and near a limit, longer in later phases', () => {
    expect(next()).toBe(300)
    expect(next({ vitality: 0.7 })).toBe(300)
    expect(next({ vitality: 0 })).toBe(600)
    expect(next({ volatility: 1 })).toBe(75)
    expect(next({ health: 'critical' })).toBe(150)
    expect(next({ volatility: 1, health: 'low' })).toBe(38)
  })

  it('stays within the schedule and half the grace period for any numbers', () => {
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

  it('is due when the chain shows other values, or after half the grace period', () => {
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

  it('are counted in whole intervals from the due time', () => {
    expect([999, 1_299, 1_300, 1_899, 1_900].map((now) => missedTicks(state, 0, now))).toEqual([
      0, 0, 1, 2, 3,
    ])
  })

  it('count only from a given time on, and not for a clock that moved back', () => {
    expect(missedTicks(state, 50_000, 50_299)).toBe(0)
    expect(missedTicks(state, 50_000, 50_900)).toBe(3)
    expect(missedTicks(state, 0, -5)).toBe(0)
  })

  it('are reported after three intervals and 15 minutes without a claim by a worker', () => {
    const minute = 60_000
    expect(heartbeatAnomaly(state, 15 * minute - 1)).toBeUndefined()
    expect(heartbeatAnomaly(state, 15 * minute)).toEqual({
      name: 'heartbeat.anomaly',
      missed: 3,
      dueAt: 1_000,
    })
    const quick = { ...state, intervalSeconds: 15 }
    expect(heartbeatAnomaly(quick, 15 * minute - 1)).toBeUndefined()
    expect(heartbeatAnomaly(quick, 15 * minute)).toMatchObject({ missed: 60 })
    const slow = { ...state, intervalSeconds: 3_600 }
    expect(heartbeatAnomaly(slow, 180 * minute - 1)).toBeUndefined()
    expect(heartbeatAnomaly(slow, 180 * minute)).toMatchObject({ missed: 3 })
    expect(heartbeatAnomaly(state, Number.NaN)).toBeUndefined()
  })

  it('never include a running tick, a tick that is not due, or the time a watcher was suspended', () => {
    const late = { now: 9_000_000, awakeSince: 0, idleMs: 8_000_000 }
    expect(unclaimedFor(state, late)).toBe(8_000_000)
    expect(unclaimedFor(state, { ...late, idleMs: 12 })).toBe(12)
    expect(unclaimedFor(state, { ...late, awakeSince: 8_999_000 })).toBe(1_000)
    expect(unclaimedFor({ nextTickAt: 9_001 }, late)).toBe(0)
  })
})

describe('a watcher', () => {
  const look = (moments: readonly number[]) =>
    moments.reduce<Awake | undefined>((awake, now) => stayAwake(awake, now, 60), undefined)

  it('counts as running while its checks are on time, and restarts after a late one or a clock that moved back', () => {
    expect(look([10, 70, 130])).toEqual({ since: 10, at: 130 })
    expect(look([10, 70, 131])).toEqual({ since: 131, at: 131 })
    expect(look([10, 70, 500, 560])).toEqual({ since: 500, at: 560 })
    expect(look([10, 70, 60])).toEqual({ since: 60, at: 60 })
  })
})

describe('the steps account and judge', () => {
  it('use the lowest of three clocks; the economic one is how long the funds last', async () => {
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
    expect(assessVitality(metabolism, poorer)).toEqual({ vitality: 0.5, survivalScore: 5_000 })
    expect(assessVitality(metabolism, { ...poorer, epistemic: 0.25 }).survivalScore).toBe(2_500)
    expect(assessVitality(metabolism, { ...poorer, stochastic: 0 }).survivalScore).toBe(0)
  })
})
