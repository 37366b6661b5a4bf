import type { Address, Hex } from 'viem'
import type { CaveatKind, ChainState, Read } from './caveatKind.ts'

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
  /** What is counted: `calls`, `wei`, or a token. */
  readonly unit: 'calls' | 'native' | Address
  /** Whether it fills up again, as a period cap does. */
  readonly renews: boolean
}

/** A kind that can also say how much of it is used and when it ends. All of it is optional. */
export type BoundKind<Terms> = CaveatKind<Terms> & {
  usageReads?(terms: Terms, row: Row): readonly Read[]
  /** Undefined where the chain was not asked. */
  usage?(terms: Terms, row: Row, state: ChainState): Usage | undefined
  /** The last second in which it lets anything through; undefined for no end. */
  window?(terms: Terms): { readonly last: bigint } | undefined
  /** The account whose balances it measures; it has to be the root’s delegator, and no enforcer can check that. */
  account?(terms: Terms): Address | undefined
}

/** Which kind an enforcer is; undefined for one that nobody here knows. */
export type Registry = (enforcer: Address) => BoundKind<unknown> | undefined

/** A registry out of pairs of address and kind. */
export function registryOf(entries: Iterable<readonly [Address, BoundKind<unknown>]>): Registry {
  const byAddress = new Map([...entries].map(([address, kind]) => [address.toLowerCase(), kind]))
  return (enforcer) => byAddress.get(enforcer.toLowerCase())
}
