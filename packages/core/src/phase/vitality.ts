import { BardoError } from '../errors/BardoError.ts'
import { type Phase, phases } from './phase.ts'

/** The three clocks of a life, each from 0 to 1. */
export type Clocks = {
  readonly economic: number
  /** What it knows; 1 where nobody measures it. */
  readonly epistemic?: number
  /** Chance; 1 where nobody rolls. */
  readonly stochastic?: number
}

/** Least vitality of each phase but the last. Origin: DESIGN §5a "vitality → phase". */
export const phaseThresholds = [0.7, 0.5, 0.3, 0.1] as const
/** Vitality 1 as it is stored on-chain. Origin: DESIGN §5a, stored 0–10000. */
const mostSurvivalScore = 10_000

/** The least of the three clocks: one that has run out ends a life. */
export function vitality({ economic, epistemic = 1, stochastic = 1 }: Clocks): number {
  for (const [clock, value] of Object.entries({ economic, epistemic, stochastic })) {
    if (value >= 0 && value <= 1) continue
    throw new BardoError(`The ${clock} clock runs from 1 to 0.`, {
      code: 'INVALID_INPUT',
      details: [`it shows ${value}`],
    })
  }
  return Math.min(economic, epistemic, stochastic)
}

/** The phase that a vitality belongs to. What is no number is Terminal. */
export function phaseOf(vitality: number): Phase {
  const place = phaseThresholds.findIndex((least) => vitality >= least)
  return phases[place < 0 ? phaseThresholds.length : place] ?? 'terminal'
}

/**
 * The next phase: never an earlier one than the current. The one way back is the owner's signed reset, from any phase of
 * a Golem that is still registered, as in GolemVitals; whoever passes it has checked the signature.
 */
export function advancePhase(current: Phase, vitality: number, reset?: Phase): Phase {
  const from = reset ?? current
  const next = phaseOf(vitality)
  return phases.indexOf(next) > phases.indexOf(from) ? next : from
}

/** Vitality as it is stored, rounded down. */
export function survivalScore(vitality: number): number {
  return Math.min(mostSurvivalScore, Math.max(0, Math.floor(vitality * mostSurvivalScore + 1e-9)))
}

/** Vitality as people see it, 0 to 100. */
export function shownVitality(vitality: number): number {
  return Math.min(100, Math.max(0, Math.floor(vitality * 100 + 1e-9)))
}
