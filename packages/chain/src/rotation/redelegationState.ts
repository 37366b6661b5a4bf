import { type Delegation, isRoot, type Registry } from '@bardo/core'

/** How often a chain of delegations was handed on, and whether its holder may do so again: what a rotation is planned by. */
export function redelegationState(
  links: readonly Delegation[],
  registry: Registry,
): { readonly redelegations: number; readonly mayRedelegate: boolean } {
  const isBound = links.some(({ caveats }) =>
    caveats.some(({ enforcer }) => registry(enforcer)?.name === 'Redeemer'),
  )
  return { redelegations: links.filter((link) => !isRoot(link)).length, mayRedelegate: !isBound }
}
