import type { Address, Hex } from 'viem'
import type { CaveatKind, ChainState, Read } from './caveatKind.ts'
import { plainAddress } from './execution/digits.ts'

/** Whose state is meant: what enforcers key their rows by. */
export type Row = {
  readonly manager: Address
  readonly enforcer: Address
  readonly delegationHash: Hex
  readonly delegator: Address
}

/** How much of a bound is used. */
export type Usage = {
  readonly spent: bigint
  readonly limit: bigint
  /** What is counted: executions, cents of a dollar, wei, or base units of a token. */
  readonly unit: 'calls' | 'usdCents' | 'native' | Address
  /** Whether it fills up again, as a period cap does; one in cents does so in any 24 hours. */
  readonly renews: boolean
}

/** A kind that can also say how much of it is used and when it ends. All of it is optional. */
export type BoundKind<Terms> = CaveatKind<Terms> & {
  usageReads?(terms: Terms, row: Row): readonly Read[]
  /** One for each number that it counts; none where the chain was not asked. */
  usage?(terms: Terms, row: Row, state: ChainState): readonly Usage[]
  /** The last second in which it lets anything through; undefined for no end. */
  window?(terms: Terms): { readonly last: bigint } | undefined
  /** The account whose balances it measures; it has to be the root’s delegator, and no enforcer can check that. */
  account?(terms: Terms): Address | undefined
  /** Whether it counts for each delegation alone: one that is signed anew opens a second budget beside the first. */
  readonly countsAlone?: boolean
  /** Whether its rows are found by the delegation's hash: no caveat of another delegation sees them. */
  readonly rowsPerDelegation?: boolean
  /** Whether it holds caveats of other enforcers inside. */
  readonly wraps?: boolean
  /** What it allows in each phase, in words, from the first to the last; undefined where it tells none apart. */
  phases?(terms: Terms): readonly string[] | undefined
}

/** Lets a kind be written down with its type inferred. */
export function boundKind<Terms>(kind: BoundKind<Terms>): BoundKind<Terms> {
  return kind
}

/** Which kind an enforcer is; undefined for one that nobody here knows. */
export type Registry = (enforcer: Address) => BoundKind<unknown> | undefined

/** A registry out of pairs of address and kind. */
export function registryOf(entries: Iterable<readonly [Address, BoundKind<unknown>]>): Registry {
  const byAddress = new Map([...entries].map(([address, kind]) => [address.toLowerCase(), kind]))
  return (enforcer) => byAddress.get(plainAddress(enforcer))
}
