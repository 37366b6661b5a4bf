import {
  type Curve,
  generateSessionKey,
  type SealedKey,
  type SealingSecret,
  type SessionKey,
  sealSessionKey,
} from '@bardo/core'
import type { Address, Hex } from 'viem'
import { type ImportedKey, keyOfImported } from './importKey.ts'

/** A sealed session key as the store keeps it. All fields may be public. */
export type NewSealedKey<Context extends string> = {
  readonly publicKey: Hex
  readonly curve: Curve
  readonly address: Address
  readonly sealed: SealedKey
  readonly context: Context
}

/** The parts of a new sealed key. */
export type NewSealedKeyOptions<Context extends string> = {
  readonly secret: SealingSecret
  /** The key's owner, for example the id of the Golem, which depends on the key's address. */
  readonly contextOf: (address: Address) => Context | Promise<Context>
  /** Default: a new key is generated. */
  readonly imported?: ImportedKey | undefined
  /** Of a generated key. Default: secp256k1. A P-256 key needs an account to act by. */
  readonly curve?: Curve | undefined
  /** The address that the key acts by. Default: its own. */
  readonly actsBy?: ((key: Pick<SessionKey, 'curve' | 'publicKey'>) => Address) | undefined
}

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

/**
 * Generates a session key and seals it. The caller gets its address and the sealed record; the generated key
 * is wiped.
 *
 * @example
 * const { address, sealed } = await createSealedKey({ secret, contextOf: (address) => golemIdOf(address) })
 */
export async function createSealedKey<Context extends string>({
  secret,
  contextOf,
  imported,
  curve: wanted = 'secp256k1',
  actsBy,
}: NewSealedKeyOptions<Context>): Promise<NewSealedKey<Context>> {
  const key = imported ? keyOfImported(imported) : generateSessionKey(wanted, random)
  try {
    const { publicKey, curve } = key
    const address = actsBy ? actsBy(key) : key.address
    if (!address) throw new TypeError('a P-256 key needs an account to act by')
    const context = await contextOf(address)
    const sealed = await sealSessionKey(key, secret, random, { context })
    return { publicKey, curve, address, sealed, context }
  } finally {
    // An imported key stays: a summoning that another process overtook seals it again.
    if (!imported) key.wipe()
  }
}
