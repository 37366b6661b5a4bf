import type { Address, Hex } from 'viem'
import type { Registry } from '../caveats/boundKind.ts'
import type { ChainState } from '../caveats/caveatKind.ts'
import { chainOf, type DelegationTree } from './tree.ts'
import { readCaveats, usageOf } from './usage.ts'

/**
 * Whether a delegation is still valid, and what ended it. `link` is the delegation itself or one above it.
 */
export type RevocationState =
  | { readonly type: 'active' }
  | { readonly type: 'revoked'; readonly link: Hex; readonly transaction: Hex; readonly at: bigint }
  /** `at` is the last second in which it was valid. */
  | { readonly type: 'expired'; readonly link: Hex; readonly at: bigint }
  | { readonly type: 'exhausted'; readonly link: Hex; readonly enforcer: Address; readonly total: bigint }

/** The required chain state. */
export type RevocationFacts = {
  readonly manager: Address
  readonly state: ChainState
  /** By hash: the transaction that last disabled it, if it is disabled now, and the time. */
  readonly disabled: ReadonlyMap<Hex, { readonly transaction: Hex; readonly at: bigint }>
}

/**
 * The state of one delegation: what ends a link ends everything below it. Revoked takes precedence over
 * expired and exhausted.
 *
 * @example
 * const { type } = revocationState(tree, hashDelegation(leaf), registry, facts) // 'active'
 */
export function revocationState(
  tree: DelegationTree,
  hash: Hex,
  registry: Registry,
  { manager, state, disabled }: RevocationFacts,
): RevocationState {
  const links = chainOf(tree, hash)
  for (const link of links) {
    const revoked = disabled.get(link.hash)
    if (revoked) return { type: 'revoked', link: link.hash, ...revoked }
  }
  const read = links.map((link) => ({ link, caveats: readCaveats(link, registry, manager) }))
  for (const { link, caveats } of read) {
    for (const caveat of caveats) {
      const last = caveat?.kind.window?.(caveat.terms)?.last
      if (last !== undefined && state.timestamp > last) return { type: 'expired', link: link.hash, at: last }
    }
  }
  for (const { link, caveats } of read) {
    for (const caveat of caveats) {
      // A dollar budget that is used up still allows closing positions.
      const end =
        caveat &&
        usageOf(caveat, state).find(
          ({ unit, renews, spent, limit }) => unit !== 'usdCents' && !renews && spent >= limit,
        )
      if (end) return { type: 'exhausted', link: link.hash, enforcer: caveat.row.enforcer, total: end.spent }
    }
  }
  return { type: 'active' }
}
