import { xchacha20poly1305 } from '@noble/ciphers/chacha'
import { hkdf } from '@noble/hashes/hkdf'
import { scryptAsync } from '@noble/hashes/scrypt'
import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, type Hex, hexToBytes, isHex, size } from 'viem'
import { BardoError } from '../errors/BardoError.ts'
import { type Curve, type RandomBytes, type SessionKey, sessionKeyFrom, withSecretOf } from './sessionKey.ts'

/** The cost of guessing a passphrase. `N` is a power of two. */
export type ScryptCost = { readonly N: number; readonly r: number; readonly p: number }

/** Derives bytes from a passphrase; Node code passes its faster native function. */
export type Scrypt = (
  passphrase: Uint8Array,
  salt: Uint8Array,
  options: ScryptCost & { readonly dkLen: number },
) => Promise<Uint8Array>

/** The secret that seals a key: an owner's passphrase, or a secret that an operator's workers share. */
export type SealingSecret =
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  | { readonly kind: 'operator'; readonly secret: Uint8Array }

/** An encrypted session key: all fields may be stored in public. */
export type SealedKey = {
  readonly version: 1
  readonly curve: Curve
  readonly publicKey: Hex
  readonly kdf: ({ readonly name: 'scrypt' } & ScryptCost) | { readonly name: 'hkdf-sha256' }
  readonly cipher: 'xchacha20-poly1305'
  readonly salt: Hex
  readonly nonce: Hex
  /** Distinguishes a wrong secret from a damaged file. */
  readonly check: Hex
  readonly sealed: Hex
  /** A checksum of all other fields. It detects damage; the cipher detects tampering. */
  readonly checksum: Hex
}

export type SealingOptions = {
  /** The key's owner, for example a Golem's id. A sealed key opens only in the same context. */
  readonly context: string
  readonly scrypt?: Scrypt
  readonly cost?: ScryptCost
}

/** About a second in JavaScript, 128 MB. */
const defaultCost: ScryptCost = { N: 131_072, r: 8, p: 1 }
/** A file with a higher cost is not opened: it would exhaust the machine. */
const maxCost = { N: 1_048_576, r: 8, p: 4 }
const operatorSecretLength = 32
const nobleScrypt: Scrypt = (passphrase, salt, options) =>
  scryptAsync(passphrase, salt, { ...options, maxmem: 2 ** 30 + 2 ** 20 })

/**
 * Seals a key for storage.
 *
 * @example
 * const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
 * const key = generateSessionKey('secp256k1', random)
 * const sealed = await sealSessionKey(key, { kind: 'passphrase', passphrase }, random, { context: golem })
 */
export async function sealSessionKey(
  key: SessionKey,
  secret: SealingSecret,
  random: RandomBytes,
  options: SealingOptions,
): Promise<SealedKey> {
  const { curve, publicKey } = key
  const kdf =
    secret.kind === 'passphrase'
      ? ({ name: 'scrypt', ...(options.cost ?? defaultCost) } as const)
      : ({ name: 'hkdf-sha256' } as const)
  const salt = random(32)
  const nonce = random(24)
  const derived = await derive(secret, kdf, salt, options.scrypt)
  const header = {
    version: 1,
    curve,
    publicKey,
    kdf,
    cipher: 'xchacha20-poly1305',
    salt: bytesToHex(salt),
    nonce: bytesToHex(nonce),
    check: bytesToHex(derived.check),
  } as const
  const cipher = xchacha20poly1305(derived.key, nonce, associatedData(header, options.context))
  const sealed = bytesToHex(withSecretOf(key, (bytes) => cipher.encrypt(bytes)))
  derived.key.fill(0)
  return { ...header, sealed, checksum: checksumOf({ ...header, sealed }) }
}

/**
 * Opens a sealed key. A wrong secret is `SEALED_KEY_WRONG_SECRET`; a file that was changed, or belongs to
 * another Golem, is `SEALED_KEY_TAMPERED`.
 *
 * @example
 * const key = await openSealedKey(sealed, { kind: 'passphrase', passphrase }, { context: golem })
 */
export async function openSealedKey(
  stored: SealedKey,
  secret: SealingSecret,
  options: Omit<SealingOptions, 'cost'>,
): Promise<SessionKey> {
  requireReadable(stored)
  const { checksum, sealed, ...header } = stored
  if (checksumOf({ ...header, sealed }) !== checksum) throw tampered()
  const expectedKdf = secret.kind === 'passphrase' ? 'scrypt' : 'hkdf-sha256'
  if (header.kdf.name !== expectedKdf) throw wrongSecret()
  const derived = await derive(secret, header.kdf, hexToBytes(header.salt), options.scrypt)
  if (bytesToHex(derived.check) !== header.check) throw wrongSecret()
  let bytes: Uint8Array
  try {
    const associated = associatedData(header, options.context)
    bytes = xchacha20poly1305(derived.key, hexToBytes(header.nonce), associated).decrypt(hexToBytes(sealed))
  } catch {
    // The cipher's own error adds nothing and is not passed on.
    throw tampered()
  } finally {
    derived.key.fill(0)
  }
  const key = sessionKeyFrom(header.curve, bytes)
  if (key.publicKey !== header.publicKey) throw tampered()
  return key
}

async function derive(
  secret: SealingSecret,
  kdf: SealedKey['kdf'],
  salt: Uint8Array,
  scrypt: Scrypt = nobleScrypt,
): Promise<{ key: Uint8Array; check: Uint8Array }> {
  const root = await rootOf(secret, kdf, salt, scrypt)
  // Two independent values: the stored check reveals nothing about the key.
  const key = hkdf(sha256, root, salt, 'bardo sealed key: encryption', 32)
  const check = hkdf(sha256, root, salt, 'bardo sealed key: check', 16)
  root.fill(0)
  return { key, check }
}

async function rootOf(secret: SealingSecret, kdf: SealedKey['kdf'], salt: Uint8Array, scrypt: Scrypt) {
  if (secret.kind === 'operator') {
    if (secret.secret.length >= operatorSecretLength) return Uint8Array.from(secret.secret)
    throw new BardoError('The operator’s secret is too short.', {
      code: 'INVALID_INPUT',
      details: [`it needs ${operatorSecretLength} random bytes`],
    })
  }
  if (secret.passphrase === '' || kdf.name !== 'scrypt')
    throw new BardoError('The passphrase is empty.', { code: 'INVALID_INPUT' })
  const { N, r, p } = kdf
  // Normalise: keyboards compose letters in different ways.
  const passphrase = new TextEncoder().encode(secret.passphrase.normalize('NFKC'))
  return scrypt(passphrase, salt, { N, r, p, dkLen: 32 })
}

type Header = Omit<SealedKey, 'sealed' | 'checksum'>

const kdfText = (kdf: Header['kdf']) =>
  kdf.name === 'scrypt' ? `scrypt:${kdf.N}:${kdf.r}:${kdf.p}` : kdf.name

/** All fields in a fixed order, so that a change of any is detected. */
function textOf({ version, curve, publicKey, kdf, cipher, salt, nonce, check }: Header): string {
  return [version, curve, publicKey, kdfText(kdf), cipher, salt, nonce, check].join('\n')
}

function associatedData(header: Header, context: string): Uint8Array {
  return new TextEncoder().encode(`${textOf(header)}\n${context}`)
}

function checksumOf(stored: Omit<SealedKey, 'checksum'>): Hex {
  return bytesToHex(sha256(new TextEncoder().encode(`${textOf(stored)}\n${stored.sealed}`)))
}

function requireReadable(stored: SealedKey) {
  const { version, curve, kdf, cipher } = stored
  const hex = [stored.publicKey, stored.salt, stored.nonce, stored.check, stored.sealed, stored.checksum]
  const isKnown =
    version === 1 && (curve === 'secp256k1' || curve === 'p256') && cipher === 'xchacha20-poly1305'
  const hasSizes = [64, 32, 24, 16, 48, 32].every((length, index) => {
    const value = hex[index]
    return isHex(value) && size(value) === length
  })
  const isAffordable =
    kdf?.name === 'hkdf-sha256' ||
    (kdf?.name === 'scrypt' && kdf.N <= maxCost.N && kdf.r <= maxCost.r && kdf.p <= maxCost.p)
  if (!isKnown || !hasSizes || !isAffordable) throw tampered()
}

function wrongSecret() {
  return new BardoError('The session key is sealed under another secret.', {
    code: 'SEALED_KEY_WRONG_SECRET',
    remedy: 'Try the passphrase again, or use the operator’s secret from when the key was sealed.',
  })
}

function tampered() {
  return new BardoError('The sealed session key was changed, or belongs to another Golem.', {
    code: 'SEALED_KEY_TAMPERED',
    remedy: 'Restore it from a backup. Without a backup, make a new key and ask the owner for a new grant.',
  })
}
