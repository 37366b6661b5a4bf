import { BardoError, type BoundKind, comparePolicies, type Delegation, type Names } from '@bardo/core'
import { type Hex, isAddressEqual } from 'viem'
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

/** A new lineage would be a second budget beside the first (P6), in the Cage and in whatever else counts by one. */
function requireSameLineage(old: Delegation, next: Delegation, deployment: Deployment): void {
  const [before, after] = [lineagesOf(old, deployment), lineagesOf(next, deployment)]
  const isKept = [...before].every(([enforcer, lineages]) => {
    const now = after.get(enforcer)
    // Leaving a bound out is the owner's to sign; the Cage is what the rest rests on.
    if (!now) return enforcer !== deployment.contracts.cageEnforcer.toLowerCase()
    return lineages.every((lineage) => now.includes(lineage))
  })
  if (isKept && isAddressEqual(old.delegator, next.delegator)) return
  const shown = (lineages: ReadonlyMap<string, readonly string[]>) => [...lineages.values()].flat().join()
  throw new BardoError('The new root is of another lineage: that would be a second budget.', {
    code: 'DELEGATION_WIDER',
    details: [`before: ${old.delegator}, ${shown(before)}`, `now: ${next.delegator}, ${shown(after)}`],
    remedy: 'Sign for the same account and the same Golem.',
    docsPath: 'redeeming.md#feeding-and-adjusting',
  })
}

/** What each enforcer of a delegation counts by, where that is a lineage. */
function lineagesOf({ caveats }: Delegation, deployment: Deployment): ReadonlyMap<string, readonly string[]> {
  const registry = caveatRegistry(deployment)
  const found = new Map<string, readonly string[]>()
  for (const { enforcer, terms } of caveats) {
    const kind = registry(enforcer)
    const lineage = kind && lineageIn(kind, terms)
    const key = enforcer.toLowerCase()
    if (lineage !== undefined) found.set(key, [...(found.get(key) ?? []), lineage])
  }
  return found
}

/** A Cage's lineage is its Golem. What cannot be read counts nothing: the chain refuses it. */
function lineageIn(kind: BoundKind<unknown>, bytes: Hex): string | undefined {
  try {
    const terms = kind.decode(bytes)
    if (typeof terms !== 'object' || terms === null) return undefined
    const lineage = 'lineage' in terms ? terms.lineage : 'golem' in terms ? terms.golem : undefined
    return typeof lineage === 'string' ? lineage.toLowerCase() : undefined
  } catch (error) {
    if (error instanceof BardoError) return undefined
    throw error
  }
}
