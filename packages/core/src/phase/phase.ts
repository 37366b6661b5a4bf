/** The five phases of a Golem's life, in order. */
export const phases = ['thriving', 'stable', 'conservation', 'declining', 'terminal'] as const

/** One phase. */
export type Phase = (typeof phases)[number]

/**
 * The on-chain number of a phase, 0 to 4.
 *
 * @example
 * phaseNumber('thriving') // 0
 */
export function phaseNumber(phase: Phase): number {
  return phases.indexOf(phase)
}

/**
 * The later of two phases, which is the one nearer to death.
 *
 * @example
 * laterPhase('stable', 'declining') // 'declining'
 */
export function laterPhase(a: Phase, b: Phase): Phase {
  return phaseNumber(a) >= phaseNumber(b) ? a : b
}

/** The display name of a phase, by its number. */
export const phaseNames: readonly string[] = phases.map(
  (phase) => phase.charAt(0).toUpperCase() + phase.slice(1),
)
