import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calm, calmDown, type Feeling, feel, isMoodDue, type Mood, shownMood } from './mood.ts'

const still: Mood = { ...calm, at: 0 }

describe('a mood', () => {
  it('rises with a win, falls with a loss, and is aroused by a refusal', () => {
    expect(feel(still, { type: 'win', weight: 1 }, 0)).toMatchObject({ pleasure: 20, dominance: 15 })
    expect(feel(still, { type: 'win', weight: 0.5 }, 0).pleasure).toBe(10)
    expect(feel(still, { type: 'loss', weight: 1 }, 0)).toMatchObject({ pleasure: -25, dominance: -15 })
    const { arousal, dominance } = feel(still, { type: 'refusal' }, 0)
    expect(arousal).toBeGreaterThan(0)
    expect(dominance).toBeLessThan(0)
  })

  it('decays by half in six hours, and ignores a clock that moved back', () => {
    const upset = feel(still, { type: 'refusal' }, 1_000)
    expect(calmDown(upset, 1_000 + 6 * 3_600).arousal).toBeCloseTo(12.5)
    expect(calmDown(upset, 0)).toBe(upset)
    expect(calmDown(upset, Number.NaN)).toBe(upset)
  })

  it('stays a triple of integers within ±100, for any history', () => {
    const feeling = fc.oneof(
      fc.record({ type: fc.constantFrom('win' as const, 'loss' as const), weight: fc.double() }),
      fc.constant<Feeling>({ type: 'refusal' }),
    )
    const history = fc.array(fc.tuple(feeling, fc.integer({ min: -100, max: 100_000 })), { maxLength: 60 })
    fc.assert(
      fc.property(history, (feelings) => {
        let mood = still
        for (const [felt, seconds] of feelings) mood = feel(mood, felt, mood.at + seconds)
        for (const value of Object.values(shownMood(mood))) {
          expect(Number.isInteger(value)).toBe(true)
          expect(Math.abs(value)).toBeLessThanOrEqual(100)
        }
      }),
    )
  })

  it('is published when it differs by ten from the published one', () => {
    expect(isMoodDue(calm, { ...calm, arousal: 9.4 })).toBe(false)
    expect(isMoodDue(calm, { ...calm, arousal: 9.5 })).toBe(true)
    expect(isMoodDue({ ...calm, dominance: 15 }, { ...calm, dominance: 5 })).toBe(true)
  })
})
