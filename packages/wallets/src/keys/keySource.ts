import type { SessionSigner } from '@bardo/chain'
import type { KeyName, RotationKind, SealedKey } from '@bardo/core'
import type { Address, Hash } from 'viem'
import type { Wallet } from '../wallet.ts'
import type { NewSealedKey } from './createSealedKey.ts'

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
  /**
   * Creates and seals a key for a rotation; a second call returns the name of the first key. A key of a rotation of the
   * kind `session-account` acts by the account of the key in use. Every other key of a Golem with a session account gets
   * an account of its own.
   */
  make(rotationId: string, kind?: RotationKind): Promise<KeyName>
  /** Creates and seals the first key of another Golem, such as a child, under the same secret. The caller stores it. */
  makeFor(contextOf: (address: Address) => Promise<Hash>): Promise<NewSealedKey<Hash>>
  /** Uses the stored first key of another Golem once. */
  useFor<Result>(
    sealed: SealedKey,
    golem: Hash,
    use: (key: Pick<Wallet, 'address' | 'signTypedData'>) => Promise<Result>,
  ): Promise<Result>
  /** Signs with a key. Undefined once the key is wiped. */
  signerOf(name: KeyName): Promise<SessionSigner | undefined>
}
