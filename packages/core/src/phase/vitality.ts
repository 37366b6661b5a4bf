import { BardoError } from '../errors/BardoError.ts'
import { type Phase, phases } from './phase.ts'

/** The three clocks of a life, each from 0 to 1. */
export type Clocks = {
  readonly economic: number
  /** The knowledge clock. Default: 1, not measured. */
  readonly epistemic?: number
  /** The chance clock. Default: 1, not used. */
  readonly stochastic?: number
}

/** Minimum vitality of each phase except the last. */
export const phaseThresholds = [0.7, 0.5, 0.3, 0.1] as const
/** The stored form of vitality 1: scores are whole numbers from 0 to 10,000. */
const mostSurvivalScore = 10_000

/**
 * The lowest of the three clocks: one clock at zero ends a life.
 *
 * @example
 * vitality({ economic: 0.5 }) // 0.5
 */
export function vitality({ economic, epistemic = 1, stochastic = 1 }: Clocks): number {
  for (const [clock, value] of Object.entries({ economic, epistemic, stochastic })) {
    if (value >= 0 && value <= 1) continue
    throw new BardoError(`The ${clock} clock must be between 0 and 1.`, {
      code: 'INVALID_INPUT',
      details: [`it is ${value}`],
    })
  }
  return Math.min(economic, epistemic, stochastic)
}

/**
 * The phase of a vitality. NaN is Terminal.
 *
 * @example
 * phaseOf(1) // 'thriving'
 */
export function phaseOf(vitality: number): Phase {
  const place = phaseThresholds.findIndex((least) => vitality >= least)
  return phases[place < 0 ? phaseThresholds.length : place] ?? 'terminal'
}

/**
 * The next phase: never earlier than the current one. Only the owner's signed reset moves it back, from any
 * phase of a registered Golem, as in GolemVitals; the caller has verified that signature.
 *
 * @example
 * advancePhase('conservation', 0.9) // 'conservation'
 */
export function advancePhase(current: Phase, vitality: number, reset?: Phase): Phase {
  const from = reset ?? current
  const next = phaseOf(vitality)
  return phases.indexOf(next) > phases.indexOf(from) ? next : from
}

/**
 * Vitality as it is stored, rounded down.
 *
 * @example
 * survivalScore(0.5) // 5000
 */
export function survivalScore(vitality: number): number {
  return Math.min(mostSurvivalScore, Math.max(0, Math.floor(vitality * mostSurvivalScore + 1e-9)))
}

/**
 * Vitality for display, 0 to 100.
 *
 * @example
 * shownVitality(0.5) // 50
 */
export function shownVitality(vitality: number): number {
  return Math.min(100, Math.max(0, Math.floor(vitality * 100 + 1e-9)))
}
