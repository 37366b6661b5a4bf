import type { SessionSigner } from '@bardo/chain'
import type { KeyName } from '@bardo/core'
import type { Wallet } from '../wallet.ts'

/** The source of a Golem's session key. It opens the key as a wallet and does not hand it out. */
export type KeySource = {
  /** The wallet of the active key. Undefined once the key is wiped. */
  open(): Promise<Wallet | undefined>
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
