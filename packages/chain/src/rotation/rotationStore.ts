import type { Delegation, KeyName, Rotation, RotationKind, RotationPorts } from '@bardo/core'
import type { Address } from 'viem'
import type { SessionSigner } from '../accounts/sessionSigner.ts'

/**
 * The storage of a rotation. Every write is idempotent: it may come twice, from this process or from a slower
 * one.
 */
export type RotationStore = Pick<RotationPorts, 'load' | 'save'> & {
  /** Creates and stores a key for a rotation. A second call returns the first key's name. */
  makeKey(rotationId: string, kind?: RotationKind): Promise<KeyName>
  /** Signs with a key. Undefined once the key is wiped. */
  signerOf(name: KeyName): Promise<SessionSigner | undefined>
  wipeKey(name: KeyName): Promise<void>
  /** The delegations that a key redeems, leaf first. */
  linksOf(name: KeyName): Promise<readonly Delegation[]>
  setLinks(name: KeyName, links: readonly Delegation[]): Promise<void>
  /**
   * The delegations with which a key draws the runway, leaf first, without the grant above. Empty if it
   * cannot draw.
   */
  drawOf(name: KeyName): Promise<readonly Delegation[]>
  /** Stores the delegation with which the old key lets the new one draw. */
  addDraw(link: Delegation): Promise<void>
  /** Makes the new key the active one, if the old one is active. */
  activate(change: { readonly from: KeyName; readonly to: KeyName }): Promise<void>
  /** Keys that earlier rotations left behind. The rotation of a suspected key empties and wipes them too. */
  leftoverKeys(rotation: Rotation): Promise<readonly KeyName[]>
  /** The root that the owner signed for this rotation, if any. */
  grantFor(rotationId: string): Promise<Delegation | undefined>
}

/** Requests to the owner, who may answer later. Repeating a request has no effect. */
export type OwnerRequests = {
  askToRevoke(rotation: Rotation, root: Delegation): Promise<void>
  /** @param delegate - the delegate of the new grant: the address that only the new key acts for */
  askToGrant(rotation: Rotation, newKey: KeyName, delegate: Address): Promise<void>
}
