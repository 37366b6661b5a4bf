import { type Hex, isAddressEqual } from 'viem'
import type { BoundKind } from '../caveats/boundKind.ts'
import { cage } from '../caveats/cage.ts'
import type { Names } from '../caveats/caveatKind.ts'
import { comparePolicies } from '../delegation/comparePolicies.ts'
import type { Delegation } from '../delegation/delegation.ts'
import { caveatRegistry } from '../deployments/caveatRegistry.ts'
import type { Deployment } from '../deployments/deployment.ts'
import { BardoError } from '../errors/BardoError.ts'

/** When the old root is disabled: before the new one is handed out, or right after. */
export type ReplacementOrder =
  | { readonly type: 'disable-first'; readonly because: readonly string[] }
  | { readonly type: 'disable-after' }

/**
 * The order in which a root is replaced with another of the same lineage. Until the old one is disabled both
 * can be used; the Cage counts by lineage, so that is not a second budget. The old root is disabled first if
 * it allows anything that the new one refuses, and if a caveat counts by delegation hash, as MetaMask's
 * enforcers do. A root of version 1 is also disabled first: its budget is in another contract than that of
 * version 2.
 *
 * @example
 * const order = replacementOrder(root, nextRoot, deploymentOn(8453))
 */
export function replacementOrder(
  old: Delegation,
  next: Delegation,
  deployment: Deployment,
): ReplacementOrder {
  requireSameLineage(old, next, deployment)
  const { disableFirst } = comparePolicies(old, next, caveatRegistry(deployment), noNames)
  return disableFirst.length > 0
    ? { type: 'disable-first', because: disableFirst }
    : { type: 'disable-after' }
}

const noNames: Names = { token: () => undefined, label: () => undefined }

/** A new lineage would get a second budget, in the Cage and in every other caveat that counts by lineage. */
function requireSameLineage(old: Delegation, next: Delegation, deployment: Deployment): void {
  const [before, after] = [lineagesOf(old, deployment), lineagesOf(next, deployment)]
  const isKept = [...before].every(([kind, lineages]) => {
    const now = after.get(kind)
    // The owner may sign without another limit, but not without the Cage.
    if (!now) return kind !== cage.name
    return lineages.every((lineage) => now.includes(lineage))
  })
  if (isKept && isAddressEqual(old.delegator, next.delegator)) return
  const shown = (lineages: ReadonlyMap<string, readonly string[]>) => [...lineages.values()].flat().join()
  throw new BardoError('The new root has another lineage, which would be a second budget.', {
    code: 'DELEGATION_WIDER',
    details: [`old root: ${old.delegator}, ${shown(before)}`, `new root: ${next.delegator}, ${shown(after)}`],
    remedy: 'Sign for the same account and the same Golem.',
    docsPath: 'redeeming.md#feeding-and-adjusting',
  })
}

/** The lineages that each kind of caveat counts by. Both versions of an enforcer are one kind. */
function lineagesOf({ caveats }: Delegation, deployment: Deployment): ReadonlyMap<string, readonly string[]> {
  const registry = caveatRegistry(deployment)
  const lineages = new Map<string, readonly string[]>()
  for (const { enforcer, terms } of caveats) {
    const kind = registry(enforcer)
    const lineage = kind && lineageIn(kind, terms)
    if (kind && lineage !== undefined) lineages.set(kind.name, [...(lineages.get(kind.name) ?? []), lineage])
  }
  return lineages
}

/** A Cage's lineage is its Golem. Malformed terms have none: the chain refuses them. */
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
