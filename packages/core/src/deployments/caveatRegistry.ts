import { bardoRegistry } from '../caveats/bardoRegistry.ts'
import type { Registry } from '../caveats/boundKind.ts'
import { metamaskRegistry } from '../caveats/metamask/metamaskKinds.ts'
import type { Deployment } from './deployment.ts'

/** A deployment is constant, and every tick asks for its registry. */
const registries = new WeakMap<Deployment, Registry>()

/**
 * Maps the enforcer addresses of a deployment to kinds of caveats: Bardo's, of both versions, and MetaMask's.
 *
 * @example
 * const deployment = deploymentOn(8453)
 * caveatRegistry(deployment)(deployment.contracts.cageEnforcer)?.name // 'Cage'
 */
export function caveatRegistry(deployment: Deployment): Registry {
  let registry = registries.get(deployment)
  if (!registry) {
    registry = buildRegistry(deployment)
    registries.set(deployment, registry)
  }
  return registry
}

function buildRegistry({ contracts, earlier, framework }: Deployment): Registry {
  const own = bardoRegistry(contracts, earlier)
  const metamask = metamaskRegistry(framework.caveatEnforcers)
  return (enforcer) => own(enforcer) ?? metamask(enforcer)
}
