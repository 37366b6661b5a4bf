import { bardoRegistry, metamaskRegistry, type Registry } from '@bardo/core'
import type { Deployment } from './deployment.ts'

/**
 * Maps the enforcer addresses of a deployment to kinds of caveats: Bardo's, of both versions, and MetaMask's.
 *
 * @example
 * const kind = caveatRegistry(deploymentOn(8453))(caveat.enforcer)
 */
export function caveatRegistry({ contracts, earlier, framework }: Deployment): Registry {
  const own = bardoRegistry(contracts, earlier)
  const metamask = metamaskRegistry(framework.caveatEnforcers)
  return (enforcer) => own(enforcer) ?? metamask(enforcer)
}
