import { bardoRegistry, type Registry, stockRegistry } from '@bardo/core'
import type { Deployment } from './deployment.ts'

/**
 * Which kind of caveat stands at which address of a deployment: Bardo's own and MetaMask's.
 *
 * @example
 * const kind = caveatRegistry(deploymentOn(8453))(caveat.enforcer)
 */
export function caveatRegistry({ contracts, framework }: Deployment): Registry {
  const own = bardoRegistry(contracts)
  const stock = stockRegistry(framework.caveatEnforcers)
  return (enforcer) => own(enforcer) ?? stock(enforcer)
}
