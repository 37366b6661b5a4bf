import type { Names } from '../caveatKind.ts'
import { cageExcesses } from './cageCoverage.ts'
import { cageDimensionWords } from './cageDimensionWords.ts'
import type { CageTerms } from './cageTerms.ts'

/**
 * One change between two policies. `other` means narrower in one way and wider in another; treat it as wider.
 */
export type PolicyChange = {
  readonly field: string
  readonly before: string
  readonly after: string
  readonly direction: 'narrower' | 'wider' | 'other'
  /** For a person: the old value, the new value and the direction. */
  readonly sentence: string
}

/**
 * Compares two signed Cages dimension by dimension. There are no changes, or only narrower ones, exactly when
 * `cage.covers` says that the first covers the second.
 *
 * @example
 * compareCages(signed, adjusted, names).filter(({ direction }) => direction !== 'narrower') // review these
 */
export function compareCages(before: CageTerms, after: CageTerms, names: Names): readonly PolicyChange[] {
  const fields = Object.keys(cageExcesses) as (keyof CageTerms)[]
  return fields.flatMap((field): PolicyChange[] => {
    const excessOf = cageExcesses[field]
    const [more, less] = [excessOf(after, before), excessOf(before, after)]
    if (!more && !less) return []
    const { title, says } = cageDimensionWords[field]
    return [policyChange(title, says(before, names), says(after, names), Boolean(more), Boolean(less))]
  })
}

/** Builds a change from whether it allows more and whether it allows less. */
export function policyChange(
  field: string,
  before: string,
  after: string,
  isMore: boolean,
  isLess: boolean,
): PolicyChange {
  const direction = isMore ? (isLess ? 'other' : 'wider') : 'narrower'
  const meaning = direction === 'other' ? 'cannot be compared' : `is ${direction}`
  return {
    field,
    before,
    after,
    direction,
    sentence: `${field}: ${before} becomes ${after}, which ${meaning}`,
  }
}
