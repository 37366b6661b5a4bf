import { caveatRegistry, type Delegation, type Deployment, isRoot } from '@bardo/core'

/**
 * How often a delegation was redelegated, and whether its holder may redelegate again: the input of a
 * rotation plan.
 */
export function redelegationState(
  links: readonly Delegation[],
  deployment: Deployment,
): { readonly redelegations: number; readonly mayRedelegate: boolean } {
  const registry = caveatRegistry(deployment)
  const isBound = links.some(({ caveats }) =>
    caveats.some(({ enforcer }) => registry(enforcer)?.name === 'Redeemer'),
  )
  return { redelegations: links.filter((link) => !isRoot(link)).length, mayRedelegate: !isBound }
}
