import type { Address, Hex } from 'viem'
import type { CaveatKind, ChainState, Read, RulesVersion } from './caveatKind.ts'
import { plainAddress } from './execution/digits.ts'

/** Identifies the state row that an enforcer reads and writes. */
export type Row = {
  /** The version of the enforcer. Default: 2. */
  readonly rules?: RulesVersion | undefined
  readonly manager: Address
  readonly enforcer: Address
  readonly delegationHash: Hex
  readonly delegator: Address
}

/** How much of one limit is used. */
export type Usage = {
  readonly spent: bigint
  readonly limit: bigint
  /** The unit: executions, cents of a dollar, wei, or base units of a token. */
  readonly unit: 'calls' | 'usdCents' | 'native' | Address
  /**
   * Whether the limit renews, as a period cap does. A limit in cents renews over any 24 hours unless a period
   * is given.
   */
  readonly renews: boolean
  /** The rolling window of a renewing limit, if known. Default for cents: 24 hours. */
  readonly periodSeconds?: number | undefined
}

/** A caveat kind that also reports its usage and expiry. All fields are optional. */
export type BoundKind<Terms> = CaveatKind<Terms> & {
  usageReads?(terms: Terms, row: Row): readonly Read[]
  /** One entry per counted limit; none if the chain was not read. */
  usage?(terms: Terms, row: Row, state: ChainState): readonly Usage[]
  /** The last second in which an execution can pass; undefined if there is no end. */
  window?(terms: Terms): { readonly last: bigint } | undefined
  /**
   * The account whose balances the caveat measures. It must be the root's delegator; no enforcer can check
   * that.
   */
  account?(terms: Terms): Address | undefined
  /** Whether usage is counted per delegation: signing again opens a second budget beside the first. */
  readonly countsAlone?: boolean
  /**
   * Whether state rows are keyed by the delegation hash, so that caveats of other delegations do not see
   * them.
   */
  readonly rowsPerDelegation?: boolean
  /** Whether the terms contain caveats of other enforcers. */
  readonly wraps?: boolean
  /** What each phase allows, in words, from first to last; undefined if all phases are the same. */
  phases?(terms: Terms): readonly string[] | undefined
}

/** Declares a kind with its type inferred. */
export function boundKind<Terms>(kind: BoundKind<Terms>): BoundKind<Terms> {
  return kind
}

/** Returns the kind of an enforcer; undefined if the enforcer is unknown. */
export type Registry = (enforcer: Address) => BoundKind<unknown> | undefined

/**
 * Builds a registry from pairs of address and kind.
 *
 * @example
 * const registry = registryOf([[deployment.contracts.cageEnforcer, cage]])
 * registry(caveat.enforcer)?.name // 'Cage'
 */
export function registryOf(entries: Iterable<readonly [Address, BoundKind<unknown>]>): Registry {
  const byAddress = new Map([...entries].map(([address, kind]) => [address.toLowerCase(), kind]))
  return (enforcer) => byAddress.get(plainAddress(enforcer))
}
