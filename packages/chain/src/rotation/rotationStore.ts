import type { Delegation, KeyName, Rotation, RotationPorts, SessionKey } from '@bardo/core'
import type { Address } from 'viem'

/**
 * What a rotation keeps. Every write may come twice, from this process or from a slower one, and then changes nothing
 * the second time.
 */
export type RotationStore = Pick<RotationPorts, 'load' | 'save'> & {
  /** Makes and stores a key for a rotation; the second call gives the first one's name. */
  makeKey(rotationId: string): Promise<KeyName>
  /** Undefined once wiped. */
  keyOf(name: KeyName): Promise<SessionKey | undefined>
  wipeKey(name: KeyName): Promise<void>
  /** The delegations that a key redeems by, leaf first. */
  linksOf(name: KeyName): Promise<readonly Delegation[]>
  setLinks(name: KeyName, links: readonly Delegation[]): Promise<void>
  /** Makes the new key the one in use, if the old one is. */
  activate(change: { readonly from: KeyName; readonly to: KeyName }): Promise<void>
  /** The root that the owner signed for this rotation, once there is one. */
  grantFor(rotationId: string): Promise<Delegation | undefined>
}

/** What is asked of an owner who may be asleep. Asking twice is asking once. */
export type OwnerRequests = {
  askToRevoke(rotation: Rotation, root: Delegation): Promise<void>
  /** @param delegate - whom to grant to: where the new key acts, and nobody else does */
  askToGrant(rotation: Rotation, newKey: SessionKey, delegate: Address): Promise<void>
}
