import type { Address } from 'viem'
import { bardoCaveats } from './bardoCaveats.ts'
import { type BoundKind, type Registry, registryOf } from './boundKind.ts'
import type { RulesVersion } from './caveatKind.ts'
import { underRules } from './underRules.ts'

/**
 * The registry of Bardo's enforcers. Entries of the deployment that are not enforcers are ignored.
 *
 * @param earlier - addresses of the version 1 enforcers: their caveats are evaluated by the rules of version
 * 1
 *
 * @example
 * bardoRegistry(deployment.contracts, version1Enforcers)(caveat.enforcer)?.describe(terms, names)
 */
export function bardoRegistry(
  addresses: Readonly<Record<string, Address>>,
  earlier: Readonly<Record<string, Address>> = {},
): Registry {
  // An enforcer shared by both versions is in both lists; the later entry wins.
  return registryOf([...entriesOf(earlier, 1), ...entriesOf(addresses, 2)])
}

function entriesOf(
  addresses: Readonly<Record<string, Address>>,
  rules: RulesVersion,
): readonly (readonly [Address, BoundKind<unknown>])[] {
  return Object.entries<BoundKind<unknown>>(bardoCaveats).flatMap(([name, kind]) => {
    const address = addresses[`${name}Enforcer`]
    return address ? [[address, underRules(kind, rules)] as const] : []
  })
}
