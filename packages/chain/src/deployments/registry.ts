import { type BoundKind, bardoCaveats, type Registry, registryOf, stockRegistry } from '@bardo/core'
import type { Address } from 'viem'
import type { Deployment } from './deployment.ts'

/**
 * Which kind of caveat stands at which address of a deployment: Bardo's own and MetaMask's.
 *
 * @example
 * const kind = caveatRegistry(deploymentOn(8453))(caveat.enforcer)
 */
export function caveatRegistry({ contracts, framework }: Deployment): Registry {
  const own = registryOf(bardoEnforcers(contracts))
  const stock = stockRegistry(framework.caveatEnforcers)
  return (enforcer) => own(enforcer) ?? stock(enforcer)
}

function bardoEnforcers(contracts: Deployment['contracts']): [Address, BoundKind<unknown>][] {
  const kinds: Readonly<Record<string, BoundKind<unknown>>> = bardoCaveats
  return Object.entries(contracts).flatMap(([name, address]): [Address, BoundKind<unknown>][] => {
    const kind = kinds[name.replace(/Enforcer$/, '')]
    // The constitution's contract has the name of its caveat; the caveat is another contract.
    return kind && name.endsWith('Enforcer') ? [[address, kind]] : []
  })
}
