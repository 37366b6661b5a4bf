import { BardoError, type BoundKind, type Caveat } from '@bardo/core'
import type { Framework } from '../deployments/framework.ts'

/** A caveat of one of MetaMask's own enforcers, where it stands on this chain. */
export function stockCaveat<Terms>(
  { caveatEnforcers }: Framework,
  kind: BoundKind<Terms>,
  terms: Terms,
): Caveat {
  const enforcer = caveatEnforcers[`${kind.name}Enforcer`]
  if (!enforcer)
    throw new BardoError(`The framework has no ${kind.name}Enforcer here.`, { code: 'UNSUPPORTED_CHAIN' })
  return { enforcer, terms: kind.encode(terms), args: '0x' }
}
