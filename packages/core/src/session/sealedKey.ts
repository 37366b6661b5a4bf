import { xchacha20poly1305 } from '@noble/ciphers/chacha'
import { hkdf } from '@noble/hashes/hkdf'
import { scryptAsync } from '@noble/hashes/scrypt'
import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex, type Hex, hexToBytes, isHex, size } from 'viem'
import { BardoError } from '../errors/BardoError.ts'
import { type Curve, type RandomBytes, type SessionKey, sessionKeyFrom, withSecretOf } from './sessionKey.ts'

/** The cost of guessing a passphrase. `N` is a power of two. */
export type ScryptCost = { readonly N: number; readonly r: number; readonly p: number }

/** Derives bytes from a passphrase; Node code passes its native one, which is faster. */
export type Scrypt = (
  passphrase: Uint8Array,
  salt: Uint8Array,
  options: ScryptCost & { readonly dkLen: number },
) => Promise<Uint8Array>

/** What a key is sealed under: what an owner remembers, or what an operator's workers share. */
export type SealingSecret =
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  | { readonly kind: 'operator'; readonly secret: Uint8Array }

/** A session key at rest: all of it may be stored where anybody reads. */
export type SealedKey = {
  readonly version: 1
  readonly curve: Curve
  readonly publicKey: Hex
  readonly kdf: ({ readonly name: 'scrypt' } & ScryptCost) | { readonly name: 'hkdf-sha256' }
  readonly cipher: 'xchacha20-poly1305'
  readonly salt: Hex
  readonly nonce: Hex
  /** Tells a wrong secret from a damaged file. */
  readonly check: Hex
  readonly sealed: Hex
  /** Of all the rest. It finds damage, not malice: malice is found by the cipher. */
  readonly checksum: Hex
}

export type SealingOptions = {
  /** Whose key it is, a Golem's id for one. A sealed key does not open as somebody else's. */
  readonly context: string
  readonly scrypt?: Scrypt
  readonly cost?: ScryptCost
}

/** About a second in JavaScript, 128 MB. */
const defaultCost: ScryptCost = { N: 131_072, r: 8, p: 1 }
/** A file that asks for more than this is not opened: it would take the machine with it. */
const maxCost = { N: 1_048_576, r: 8, p: 4 }
const operatorSecretLength = 32
const nobleScrypt: Scrypt = (passphrase, salt, options) =>
  scryptAsync(passphrase, salt, { ...options, maxmem: 2 ** 30 + 2 ** 20 })

/** Seals a key for storage. */
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
 * Opens a sealed key. A secret that does not fit is `SEALED_KEY_WRONG_SECRET`; a file that was changed, or is another
 * Golem's, is `SEALED_KEY_TAMPERED`.
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
    // The cipher's own error says no more, and is not passed on.
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
  // Two independent values: the check, which is stored, says nothing of the key.
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
      details: [`${operatorSecretLength} random bytes are needed`],
    })
  }
  if (secret.passphrase === '' || kdf.name !== 'scrypt')
    throw new BardoError('The passphrase is empty.', { code: 'INVALID_INPUT' })
  const { N, r, p } = kdf
  // One spelling: keyboards differ in how they compose a letter.
  const passphrase = new TextEncoder().encode(secret.passphrase.normalize('NFKC'))
  return scrypt(passphrase, salt, { N, r, p, dkLen: 32 })
}

type Header = Omit<SealedKey, 'sealed' | 'checksum'>

const kdfText = (kdf: Header['kdf']) =>
  kdf.name === 'scrypt' ? `scrypt:${kdf.N}:${kdf.r}:${kdf.p}` : kdf.name

/** All fields in one order, so that none can be changed without being noticed. */
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
    remedy: 'Try the passphrase again, or the operator’s secret of that time.',
  })
}

function tampered() {
  return new BardoError('The sealed session key was changed, or is not this Golem’s.', {
    code: 'SEALED_KEY_TAMPERED',
    remedy: 'Restore it from a copy; without one, make a new key and ask the owner for a new grant.',
  })
}
