import type { Hex } from 'viem'
import type { Registry } from '../caveats/boundKind.ts'
import { compareCages, type PolicyChange, policyChange } from '../caveats/cage/compareCages.ts'
import { cage } from '../caveats/cage.ts'
import type { Names } from '../caveats/caveatKind.ts'
import { createTermsCache } from './attenuation.ts'
import type { Caveat, Delegation } from './delegation.ts'

/** What it means to sign one delegation in the place of another. */
export type PolicyComparison = {
  readonly changes: readonly PolicyChange[]
  /**
   * Why the old one is to be disabled before the new one is used: it still allows something that the new one does not, or
   * counts by its own hash, so that the new one would open a second budget beside it. Empty where that can wait.
   */
  readonly disableFirst: readonly string[]
}

/** Compares two delegations, signed or about to be. Salt, signature and `args` do not matter. */
export function comparePolicies(
  before: Delegation,
  after: Delegation,
  registry: Registry,
  names: Names,
): PolicyComparison {
  const enforcers = [...new Set([...before.caveats, ...after.caveats].map(({ enforcer }) => lower(enforcer)))]
  const of = ({ caveats }: Delegation, enforcer: string) =>
    caveats.filter((caveat) => lower(caveat.enforcer) === enforcer)
  const changes = [
    ...parties(before, after, names),
    ...enforcers.flatMap((enforcer) =>
      compareCaveats(of(before, enforcer), of(after, enforcer), registry, names),
    ),
  ]
  const lost = changes.filter(({ direction }) => direction !== 'wider').map(({ sentence }) => sentence)
  return {
    changes,
    disableFirst: [...lost, ...before.caveats.flatMap((caveat) => counting(caveat, registry))],
  }
}

function counting({ enforcer }: Caveat, registry: Registry): readonly string[] {
  const kind = registry(enforcer)
  if (!kind) return [`nobody here knows what ${enforcer} counts`]
  return kind.countsAlone ? [`${kind.name} counts for each delegation alone`] : []
}

function parties(before: Delegation, after: Delegation, names: Names): PolicyChange[] {
  return (['delegator', 'delegate', 'authority'] as const).flatMap((field) => {
    const [was, is] = [before[field], after[field]]
    const name = (value: Hex) => names.label(value) ?? value
    return lower(was) === lower(is) ? [] : [policyChange(field, name(was), name(is), true, true)]
  })
}

/** Caveats of one enforcer. */
function compareCaveats(
  before: readonly Caveat[],
  after: readonly Caveat[],
  registry: Registry,
  names: Names,
): readonly PolicyChange[] {
  const [was, is] = [before[0], after[0]]
  const caveat = was ?? is
  if (!caveat) return []
  const kind = registry(caveat.enforcer)
  const terms = createTermsCache(registry)
  if (kind?.name === cage.name && was && is && before.length + after.length === 2) {
    if (!terms.wrong(was) && !terms.wrong(is))
      return compareCages(cage.decode(was.terms), cage.decode(is.terms), names)
  }
  const isCoveredBy = (bounds: readonly Caveat[], others: readonly Caveat[]) =>
    bounds.every((bound) => others.some((other) => terms.covers(bound, other).is === 'covered'))
  const [isMore, isLess] = [!isCoveredBy(before, after), !isCoveredBy(after, before)]
  if (!isMore && !isLess) return []
  const words = (caveats: readonly Caveat[]) =>
    caveats.map((each) => terms.sentence(each, names)).join('; ') || 'none'
  return [policyChange(kind?.name ?? caveat.enforcer, words(before), words(after), isMore, isLess)]
}

function lower(text: string): string {
  return text.toLowerCase()
}
