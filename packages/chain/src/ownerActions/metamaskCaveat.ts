import { BardoError, type BoundKind, type Caveat, type Framework } from '@bardo/core'

/** A caveat of one of MetaMask's enforcers, with its address on this chain. */
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
