import type { Address, Hex } from 'viem'

/** An enforcer, the terms that the delegator signed, and the args that the redeemer adds. */
export type Caveat = {
  readonly enforcer: Address
  readonly terms: Hex
  /** Not part of the hash or the signature. */
  readonly args: Hex
}

/** One signed step of authority, in the DelegationManager's format. */
export type Delegation = {
  readonly delegate: Address
  readonly delegator: Address
  /** The hash of the parent delegation, or {@link rootAuthority}. */
  readonly authority: Hex
  readonly caveats: readonly Caveat[]
  readonly salt: bigint
  /** Not part of the hash. */
  readonly signature: Hex
}

/** The authority of a root delegation. */
export const rootAuthority: Hex = '0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'

/** The delegate that means any account. */
export const anyDelegate: Address = '0x0000000000000000000000000000000000000a11'

/**
 * Whether the delegation has no parent.
 *
 * @example
 * isRoot({ ...delegation, authority: rootAuthority }) // true
 */
export function isRoot(delegation: Delegation): boolean {
  return delegation.authority.toLowerCase() === rootAuthority
}

/** Whether the child's delegator is the parent's delegate. */
export function mayFollow(parent: Delegation, child: Delegation): boolean {
  const delegate = parent.delegate.toLowerCase()
  return delegate === anyDelegate || delegate === child.delegator.toLowerCase()
}
