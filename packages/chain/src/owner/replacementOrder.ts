import { BardoError, type Caveat, cage, type Delegation, type Registry } from '@bardo/core'
import type { Deployment } from '../deployments/deployment.ts'

/** When the old root is disabled: before the new one is handed out, or soon after. */
export type ReplacementOrder =
  | { readonly is: 'disable-first'; readonly because: readonly string[] }
  | { readonly is: 'disable-after' }

/**
 * In which order a root is replaced by another of the same lineage. Until the old one is disabled both can be used; the
 * Cage counts by lineage, so that is no second budget. But the old one goes first where it allows anything that the new
 * one refuses, and where either counts by its own hash, as MetaMask's enforcers do.
 */
export function replacementOrder(
  old: Delegation,
  next: Delegation,
  { registry, deployment }: { readonly registry: Registry; readonly deployment: Deployment },
): ReplacementOrder {
  requireSameLineage(old, next, deployment)
  const because = [
    ...next.caveats.flatMap((bound) => whereWider(old, bound, registry)),
    ...[...old.caveats, ...next.caveats].flatMap((caveat) => countsByHash(caveat, registry, deployment)),
  ]
  return because.length > 0
    ? { is: 'disable-first', because: [...new Set(because)] }
    : { is: 'disable-after' }
}

/** What the old root allows beyond one of the new caveats. */
function whereWider(old: Delegation, bound: Caveat, registry: Registry): readonly string[] {
  const kind = registry(bound.enforcer)
  const same = old.caveats.filter(({ enforcer }) => sameText(enforcer, bound.enforcer))
  if (same.some(({ terms }) => sameText(terms, bound.terms))) return []
  if (!kind) return [`nobody here knows ${bound.enforcer}`]
  if (same.length === 0) return [`the old root has no ${kind.name}`]
  const reasons = same.map(({ terms }) => kind.covers(kind.decode(bound.terms), kind.decode(terms)))
  if (reasons.some(({ is }) => is === 'covered')) return []
  return reasons.flatMap((reason) => (reason.is === 'wider' ? [`${kind.name}: ${reason.because}`] : []))
}

function countsByHash(
  { enforcer }: Caveat,
  registry: Registry,
  { framework }: Deployment,
): readonly string[] {
  const kind = registry(enforcer)
  if (!kind) return [`nobody here knows ${enforcer}`]
  const isStock = Object.values(framework.caveatEnforcers).some((address) => sameText(address, enforcer))
  return isStock && kind.writes ? [`${kind.name} counts for each root alone`] : []
}

/** A new lineage would be a second budget beside the first (P6). */
function requireSameLineage(old: Delegation, next: Delegation, { contracts }: Deployment): void {
  const lineages = ({ caveats }: Delegation) =>
    caveats
      .filter(({ enforcer }) => sameText(enforcer, contracts.cageEnforcer))
      .map(({ terms }) => cage.decode(terms).golem.toLowerCase())
  const [before, after] = [lineages(old), lineages(next)]
  if (before.every((lineage) => after.includes(lineage)) && sameText(old.delegator, next.delegator)) return
  throw new BardoError('The new root is of another lineage: that would be a second budget.', {
    code: 'DELEGATION_WIDER',
    details: [`before: ${old.delegator}, ${before.join()}`, `now: ${next.delegator}, ${after.join()}`],
    remedy: 'Sign for the same account and the same Golem.',
    docsPath: 'redeeming.md#feeding-and-adjusting',
  })
}

const sameText = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
