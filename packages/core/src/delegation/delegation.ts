import type { Address, Hex } from 'viem'

/** An enforcer, what the delegator signed for it, and what the redeemer adds. */
export type Caveat = {
  readonly enforcer: Address
  readonly terms: Hex
  /** Outside the hash and the signature. */
  readonly args: Hex
}

/** One signed step of authority, as the DelegationManager knows it. */
export type Delegation = {
  readonly delegate: Address
  readonly delegator: Address
  /** The hash of the delegation above, or {@link rootAuthority}. */
  readonly authority: Hex
  readonly caveats: readonly Caveat[]
  readonly salt: bigint
  /** Outside the hash. */
  readonly signature: Hex
}

/** The authority of a delegation that stands on its own. */
export const rootAuthority: Hex = '0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'

/** A delegate that stands for anybody. */
export const anyDelegate: Address = '0x0000000000000000000000000000000000000a11'

/** Whether nothing is above it. */
export function isRoot(delegation: Delegation): boolean {
  return delegation.authority.toLowerCase() === rootAuthority
}

/** Whether the child’s signer is whom the parent names. */
export function mayFollow(parent: Delegation, child: Delegation): boolean {
  const delegate = parent.delegate.toLowerCase()
  return delegate === anyDelegate || delegate === child.delegator.toLowerCase()
}
