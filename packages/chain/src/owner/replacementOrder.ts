import { BardoError, cage, comparePolicies, type Delegation, type Names } from '@bardo/core'
import type { Deployment } from '../deployments/deployment.ts'
import { caveatRegistry } from '../deployments/registry.ts'

/** When the old root is disabled: before the new one is handed out, or soon after. */
export type ReplacementOrder =
  | { readonly is: 'disable-first'; readonly because: readonly string[] }
  | { readonly is: 'disable-after' }

/**
 * In which order a root is replaced by another of the same lineage. Until the old one is disabled both can be used; the
 * Cage counts by lineage, so that is no second budget. But the old one goes first where it allows anything that the new
 * one refuses, and where it counts by its own hash, as MetaMask's enforcers do.
 */
export function replacementOrder(
  old: Delegation,
  next: Delegation,
  deployment: Deployment,
): ReplacementOrder {
  requireSameLineage(old, next, deployment)
  const { disableFirst } = comparePolicies(old, next, caveatRegistry(deployment), noNames)
  return disableFirst.length > 0 ? { is: 'disable-first', because: disableFirst } : { is: 'disable-after' }
}

const noNames: Names = { token: () => undefined, label: () => undefined }

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
