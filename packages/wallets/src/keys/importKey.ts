import { BardoError, type SessionKey, sessionKeyFrom } from '@bardo/core'
import { type Address, hexToBytes, isHex } from 'viem'

/** A private key as text that is read only inside this package. */
export type ClosedText = { reveal(): string }

/** A key that the owner chose. Only this package can use it. */
export type ImportedKey = { readonly address: Address }

const keys = new WeakMap<ImportedKey, SessionKey>()

/**
 * Reads the owner's own key for a wallet with a local key. The result has only the address.
 *
 * @example
 * const { address } = importKey({ reveal: () => privateKey })
 */
export function importKey(text: ClosedText): ImportedKey {
  const hex = text.reveal()
  if (!isHex(hex) || hex.length !== 66)
    throw new BardoError('BARDO_WALLET_PRIVATE_KEY is not a private key.', {
      code: 'CONFIG_INVALID',
      remedy: 'Set it to 32 bytes in hexadecimal, with the prefix 0x.',
    })
  const key = sessionKeyFrom('secp256k1', hexToBytes(hex))
  if (!key.address) throw new TypeError('a secp256k1 key is an account')
  const imported = Object.freeze({ address: key.address })
  keys.set(imported, key)
  return imported
}

/** The key behind an imported key. Not exported from the package. */
export function keyOfImported(imported: ImportedKey): SessionKey {
  const key = keys.get(imported)
  if (key) return key
  throw new BardoError('The imported key was not read by importKey.', { code: 'INVALID_INPUT' })
}
