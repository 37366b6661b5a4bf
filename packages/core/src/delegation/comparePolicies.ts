import type { Hex } from 'viem'
import type { Registry } from '../caveats/boundKind.ts'
import { compareCages, type PolicyChange, policyChange } from '../caveats/cage/compareCages.ts'
import { cage } from '../caveats/cage.ts'
import type { Names } from '../caveats/caveatKind.ts'
import { createTermsCache } from './attenuation.ts'
import type { Caveat, Delegation } from './delegation.ts'

/** What changes if one delegation is signed in place of another. */
export type PolicyComparison = {
  readonly changes: readonly PolicyChange[]
  /**
   * Why the old delegation must be disabled before the new one is used: it still allows something that the
   * new one does not, or it counts by its own hash, so that the new one would open a second budget. Empty if
   * that can wait.
   */
  readonly disableFirst: readonly string[]
}

/**
 * Compares two delegations, signed or unsigned. Salt, signature and `args` are ignored. Two versions of an
 * enforcer are compared with each other, and the change of version is listed too: each version counts in its
 * own contract.
 *
 * @example
 * const { changes, disableFirst } = comparePolicies(signed, proposed, registry, names)
 */
export function comparePolicies(
  before: Delegation,
  after: Delegation,
  registry: Registry,
  names: Names,
): PolicyComparison {
  const kindOf = ({ enforcer }: Caveat) => registry(enforcer)?.name ?? lower(enforcer)
  const kinds = [...new Set([...before.caveats, ...after.caveats].map(kindOf))]
  const of = ({ caveats }: Delegation, kind: string) => caveats.filter((caveat) => kindOf(caveat) === kind)
  const changes = [
    ...parties(before, after, names),
    ...kinds.flatMap((kind) => [
      ...compareCaveats(of(before, kind), of(after, kind), registry, names),
      ...compareEnforcers(kind, of(before, kind), of(after, kind)),
    ]),
  ]
  const lost = changes.filter(({ direction }) => direction !== 'wider').map(({ sentence }) => sentence)
  return {
    changes,
    disableFirst: [...lost, ...before.caveats.flatMap((caveat) => counting(caveat, registry))],
  }
}

function counting({ enforcer }: Caveat, registry: Registry): readonly string[] {
  const kind = registry(enforcer)
  if (!kind) return [`the enforcer ${enforcer} is unknown, so its budget may be counted again`]
  return kind.countsAlone ? [`${kind.name} counts per delegation`] : []
}

function parties(before: Delegation, after: Delegation, names: Names): PolicyChange[] {
  return (['delegator', 'delegate', 'authority'] as const).flatMap((field) => {
    const [was, is] = [before[field], after[field]]
    const name = (value: Hex) => names.label(value) ?? value
    return lower(was) === lower(is) ? [] : [policyChange(field, name(was), name(is), true, true)]
  })
}

/** Kinds that both delegations have, with an enforcer that only one of them uses. */
function compareEnforcers(
  kind: string,
  before: readonly Caveat[],
  after: readonly Caveat[],
): readonly PolicyChange[] {
  const listed = (caveats: readonly Caveat[]) =>
    [...new Set(caveats.map(({ enforcer }) => lower(enforcer)))].sort().join(', ')
  const [was, is] = [listed(before), listed(after)]
  return was === '' || is === '' || was === is
    ? []
    : [policyChange(`enforcer of ${kind}`, was, is, true, true)]
}

/** Caveats of one kind. */
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
    bounds.every((bound) => others.some((other) => terms.covers(bound, other).type === 'covered'))
  const [isMore, isLess] = [!isCoveredBy(before, after), !isCoveredBy(after, before)]
  if (!isMore && !isLess) return []
  const words = (caveats: readonly Caveat[]) =>
    caveats.map((each) => terms.sentence(each, names)).join('; ') || 'none'
  return [policyChange(kind?.name ?? caveat.enforcer, words(before), words(after), isMore, isLess)]
}

function lower(text: string): string {
  return text.toLowerCase()
}
