import type { Delegation } from '../delegation/delegation.ts'
import { caveatRegistry } from '../deployments/caveatRegistry.ts'
import type { Deployment } from '../deployments/deployment.ts'

/**
 * The last second in which a delegation can be used, by its own caveats; undefined if none of them sets an
 * end.
 *
 * @example
 * const end = delegationEnd(root, deploymentOn(8453))
 */
export function delegationEnd({ caveats }: Delegation, deployment: Deployment): bigint | undefined {
  const registry = caveatRegistry(deployment)
  const ends = caveats.flatMap(({ enforcer, terms }) => {
    const kind = registry(enforcer)
    return kind?.window?.(kind.decode(terms))?.last ?? []
  })
  return ends.reduce<bigint | undefined>(
    (least, end) => (least === undefined || end < least ? end : least),
    undefined,
  )
}
