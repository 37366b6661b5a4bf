import type { Address, Hex } from 'viem'
import type { Registry } from '../caveats/boundKind.ts'
import type { ChainState } from '../caveats/caveatKind.ts'
import { chainOf, type DelegationTree } from './tree.ts'
import { readCaveats, usageOf } from './usage.ts'

/** Whether a delegation still works, and what ended it. `link` is where: the delegation itself or one above it. */
export type RevocationState =
  | { readonly is: 'active' }
  | { readonly is: 'revoked'; readonly link: Hex; readonly transaction: Hex; readonly at: bigint }
  /** `at` is the last second in which it worked. */
  | { readonly is: 'expired'; readonly link: Hex; readonly at: bigint }
  | { readonly is: 'exhausted'; readonly link: Hex; readonly enforcer: Address; readonly total: bigint }

/** What has to be known of the chain. */
export type RevocationFacts = {
  readonly manager: Address
  readonly state: ChainState
  /** By hash: the transaction that disabled it last, where it is disabled now, and when. */
  readonly disabled: ReadonlyMap<Hex, { readonly transaction: Hex; readonly at: bigint }>
}

/** The state of one delegation: what ends a link ends everything below it. Revoked counts before expired and exhausted. */
export function revocationState(
  tree: DelegationTree,
  hash: Hex,
  registry: Registry,
  { manager, state, disabled }: RevocationFacts,
): RevocationState {
  const links = chainOf(tree, hash)
  for (const link of links) {
    const revoked = disabled.get(link.hash)
    if (revoked) return { is: 'revoked', link: link.hash, ...revoked }
  }
  const read = links.map((link) => ({ link, caveats: readCaveats(link, registry, manager) }))
  for (const { link, caveats } of read) {
    for (const caveat of caveats) {
      const last = caveat?.kind.window?.(caveat.terms)?.last
      if (last !== undefined && state.timestamp > last) return { is: 'expired', link: link.hash, at: last }
    }
  }
  for (const { link, caveats } of read) {
    for (const caveat of caveats) {
      // A budget in dollars that is used up still lets positions be closed.
      const end =
        caveat &&
        usageOf(caveat, state).find(
          ({ unit, renews, spent, limit }) => unit !== 'usdCents' && !renews && spent >= limit,
        )
      if (end) return { is: 'exhausted', link: link.hash, enforcer: caveat.row.enforcer, total: end.spent }
    }
  }
  return { is: 'active' }
}
