import type { SessionSigner } from '@bardo/chain'
import type { KeyName, SessionKey } from '@bardo/core'

/** The source of a Golem's session key. */
export type KeySource = {
  /** Undefined once the key is wiped. */
  open(): Promise<SessionKey | undefined>
  /** Deletes the key permanently. */
  wipe(): Promise<void>
  /** Creates keys; without it, keys are never rotated. */
  readonly vault?: KeyVault
}

/** Creates and stores new keys. */
export type KeyVault = {
  /** Creates and seals a key for a rotation; a second call returns the name of the first key. */
  make(rotationId: string): Promise<KeyName>
  /** Signs with a key. Undefined once the key is wiped. */
  signerOf(name: KeyName): Promise<SessionSigner | undefined>
}
