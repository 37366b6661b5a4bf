import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Phase, phaseNumber, phases } from './phase.ts'
import { advancePhase, phaseOf, shownVitality, survivalScore, vitality } from './vitality.ts'

describe('vitality', () => {
  test('is the lowest of three clocks, two of which are optional', () => {
    expect(vitality({ economic: 0.8 })).toBe(0.8)
    expect(vitality({ economic: 0.8, epistemic: 0.4, stochastic: 0.6 })).toBe(0.4)
    expect(() => vitality({ economic: 1.1 })).toThrow(/economic clock/)
    expect(() => vitality({ economic: Number.NaN })).toThrow(/economic clock/)
  })

  test.for<[number, Phase]>([
    [1, 'thriving'],
    [0.7, 'thriving'],
    [0.6999, 'stable'],
    [0.5, 'stable'],
    [0.4999, 'conservation'],
    [0.3, 'conservation'],
    [0.2999, 'declining'],
    [0.1, 'declining'],
    [0.0999, 'terminal'],
    [0, 'terminal'],
    [Number.NaN, 'terminal'],
  ])('of %d is %s', ([value, phase]) => {
    expect(phaseOf(value)).toBe(phase)
  })

  test('moves a phase forward only', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 20 }), (values) => {
        let phase: Phase = 'thriving'
        for (const value of values) {
          const next = advancePhase(phase, value)
          expect(phaseNumber(next)).toBe(Math.max(phaseNumber(phase), phaseNumber(phaseOf(value))))
          phase = next
        }
      }),
    )
  })

  test('moves back only by the owner’s reset, and no further than the vitality allows', () => {
    expect(advancePhase('declining', 0.9)).toBe('declining')
    expect(advancePhase('declining', 0.9, 'thriving')).toBe('thriving')
    expect(advancePhase('terminal', 0.6, 'thriving')).toBe('stable')
    expect(advancePhase('terminal', 0.9, 'conservation')).toBe('conservation')
  })

  test('is stored as 0–10000 and shown as 0–100, never rounded up', () => {
    expect([survivalScore(0.69999), survivalScore(0.7), survivalScore(2), survivalScore(-1)]).toEqual([
      6_999, 7_000, 10_000, 0,
    ])
    expect([shownVitality(0.299), shownVitality(0.29), shownVitality(1)]).toEqual([29, 29, 100])
    expect(phases).toHaveLength(5)
  })
})
