import type { Mutant } from './instrument.ts'

/** The outcome of a mutant: the failed test, or none. */
export type Outcome = { readonly mutant: Mutant; readonly killedBy: string | undefined }

/** A mutant that changes nothing, and why. `mutant` is its key. */
export type Equivalent = { readonly mutant: string; readonly reason: string }

export type Score = {
  readonly guards: number
  readonly covered: number
  readonly mutants: number
  readonly killed: number
  readonly equivalent: number
  readonly survivors: readonly Outcome[]
  /** Listed as equivalent although a test fails with it, or it does not exist. */
  readonly mislisted: readonly string[]
}

/**
 * A guard is covered if every mutant of it is killed or equivalent; a guard with only equivalent mutants is
 * not counted.
 */
export function score(outcomes: readonly Outcome[], equivalents: readonly Equivalent[]): Score {
  const listed = new Set(equivalents.map(({ mutant }) => mutant))
  const counted = outcomes.filter(({ mutant, killedBy }) => killedBy !== undefined || !listed.has(mutant.key))
  const survivors = counted.filter(({ killedBy }) => killedBy === undefined)
  const guards = new Set(counted.map(({ mutant }) => mutant.guardKey))
  const open = new Set(survivors.map(({ mutant }) => mutant.guardKey))
  const survived = new Set(outcomes.filter(({ killedBy }) => !killedBy).map(({ mutant }) => mutant.key))
  return {
    guards: guards.size,
    covered: guards.size - open.size,
    mutants: outcomes.length,
    killed: counted.length - survivors.length,
    equivalent: outcomes.length - counted.length,
    survivors,
    mislisted: [...listed].filter((key) => !survived.has(key)),
  }
}

/** The share of guards that are covered, in per cent. */
export const percent = ({ guards, covered }: Score) => (guards === 0 ? 100 : (covered * 100) / guards)
