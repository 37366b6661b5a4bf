import type { BoundKind } from '../caveats/boundKind.ts'
import type { Caveat } from '../delegation/delegation.ts'
import { BardoError } from '../errors/BardoError.ts'
import type { Framework } from './framework.ts'

/**
 * A caveat of one of MetaMask's enforcers, with its address on this chain.
 *
 * @example
 * const caveat = metamaskCaveat(canonicalFramework, metamaskKinds.LimitedCalls, { limit: 3 })
 * caveat.enforcer // '0x04658B29F6b82ed55274221a06Fc97D318E25416'
 */
export function metamaskCaveat<Terms>(
  { caveatEnforcers }: Framework,
  kind: BoundKind<Terms>,
  terms: Terms,
): Caveat {
  const enforcer = caveatEnforcers[`${kind.name}Enforcer`]
  if (!enforcer)
    throw new BardoError(`The framework has no ${kind.name}Enforcer on this chain.`, {
      code: 'UNSUPPORTED_CHAIN',
    })
  return { enforcer, terms: kind.encode(terms), args: '0x' }
}
