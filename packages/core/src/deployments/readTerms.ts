import { type Address, isAddressEqual } from 'viem'
import type { BoundKind } from '../caveats/boundKind.ts'
import type { Caveat } from '../delegation/delegation.ts'
import { caveatRegistry } from './caveatRegistry.ts'
import type { Deployment } from './deployment.ts'

/**
 * The version of a kind's enforcer at an address; undefined if another contract is there.
 *
 * @example
 * const deployment = deploymentOn(8453)
 * enforcerVersion(deployment, cage, deployment.earlier.cageEnforcer) // 1
 */
export function enforcerVersion(
  deployment: Deployment,
  { name }: Pick<BoundKind<unknown>, 'name'>,
  enforcer: Address,
): 1 | 2 | undefined {
  if (caveatRegistry(deployment)(enforcer)?.name !== name) return undefined
  return Object.values(deployment.earlier).some((address) => isAddressEqual(address, enforcer)) ? 1 : 2
}

/**
 * The terms of a caveat of one kind, read by the rules of its enforcer's version. Undefined for a caveat of
 * another kind.
 *
 * @example
 * const terms = readTerms(deployment, cage, root.caveats[0])
 */
export function readTerms<Terms>(
  deployment: Deployment,
  kind: BoundKind<Terms>,
  { enforcer, terms }: Pick<Caveat, 'enforcer' | 'terms'>,
): Terms | undefined {
  const version = enforcerVersion(deployment, kind, enforcer)
  return version && kind.decode(terms, version)
}
