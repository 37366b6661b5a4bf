/** The five phases of a Golem's life, in the order in which they come. Origin: DESIGN §5. */
export const phases = ['thriving', 'stable', 'conservation', 'declining', 'terminal'] as const

/** One phase. */
export type Phase = (typeof phases)[number]

/** The number that stands for a phase on-chain, 0 to 4. */
export function phaseNumber(phase: Phase): number {
  return phases.indexOf(phase)
}

/** A phase's name for a sentence, by its number. */
export const phaseNames: readonly string[] = phases.map(
  (phase) => phase.charAt(0).toUpperCase() + phase.slice(1),
)
