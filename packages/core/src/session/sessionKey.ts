import { p256 } from '@noble/curves/nist'
import { secp256k1 } from '@noble/curves/secp256k1'
import { type Address, bytesToHex, getAddress, type Hex, keccak256, slice } from 'viem'
import { BardoError } from '../errors/BardoError.ts'

/** secp256k1 for everything an Ethereum account signs, P-256 for signers of session accounts. */
export type Curve = 'secp256k1' | 'p256'

/** A signature of a digest. Low-s on both curves: verifiers refuse the other half. */
export type DigestSignature = { readonly r: Hex; readonly s: Hex; readonly yParity: 0 | 1 }

/** A disposable signing key. Its bytes stay in this module. */
export type SessionKey = {
  readonly curve: Curve
  /** The curve's point, 64 bytes: x and y. */
  readonly publicKey: Hex
  /** The account it signs for; a P-256 key has none by itself. */
  readonly address: Address | undefined
  /** Signs 32 bytes. Throws `SESSION_KEY_ZEROED` once wiped. */
  sign(digest: Uint8Array): DigestSignature
  /**
   * Overwrites the key and refuses to sign from then on. This does not guarantee that memory is clean: the
   * curve arithmetic creates copies that JavaScript cannot overwrite, and the engine may have moved the bytes
   * before.
   */
  wipe(): void
  readonly wiped: boolean
}

/** Fills `length` bytes from a cryptographically secure source. */
export type RandomBytes = (length: number) => Uint8Array

const curves = { secp256k1, p256 }
const keyLength = 32
const draws = 8

/** The bytes of every key that is not wiped. Only sealing reads them, through {@link withSecretOf}. */
const secrets = new WeakMap<SessionKey, Uint8Array>()

/**
 * Generates a key.
 *
 * @example
 * const key = generateSessionKey('secp256k1', (length) => crypto.getRandomValues(new Uint8Array(length)))
 */
export function generateSessionKey(curve: Curve, random: RandomBytes): SessionKey {
  // A random value is outside the curve's order about once in 2^32 (P-256) or 2^128 draws.
  for (let draw = 0; draw < draws; draw += 1) {
    const secret = random(keyLength)
    if (isSecret(curve, secret)) return sessionKeyFrom(curve, secret)
  }
  throw new BardoError('The random source does not produce a valid key.', { code: 'INVALID_INPUT' })
}

/**
 * A key from its bytes, which are copied and then overwritten in the caller's array.
 *
 * @example
 * const key = sessionKeyFrom('secp256k1', hexToBytes(privateKey))
 */
export function sessionKeyFrom(curve: Curve, bytes: Uint8Array): SessionKey {
  if (!isSecret(curve, bytes))
    throw new BardoError('The bytes are not a valid private key.', {
      code: 'INVALID_INPUT',
      details: [`expected ${keyLength} bytes below the order of ${curve}`],
    })
  const secret = Uint8Array.from(bytes)
  bytes.fill(0)
  const publicKey = bytesToHex(curves[curve].getPublicKey(secret, false).subarray(1))
  let wiped = false

  const key: SessionKey = {
    curve,
    publicKey,
    address: curve === 'secp256k1' ? getAddress(slice(keccak256(publicKey), 12)) : undefined,
    sign(digest) {
      if (wiped) throw zeroed()
      if (digest.length !== 32)
        throw new BardoError('A session key signs digests of 32 bytes.', {
          code: 'INVALID_INPUT',
          details: [`got ${digest.length} bytes`],
        })
      const signature = curves[curve].sign(digest, secret, { lowS: true, prehash: false })
      const compact = signature.toCompactRawBytes()
      return {
        r: bytesToHex(compact.subarray(0, 32)),
        s: bytesToHex(compact.subarray(32)),
        yParity: signature.recovery === 1 ? 1 : 0,
      }
    },
    wipe() {
      wiped = true
      secret.fill(0)
      secrets.delete(key)
    },
    get wiped() {
      return wiped
    },
  }
  secrets.set(key, secret)
  return Object.freeze(key)
}

/** Passes the key's bytes to `use` for one call. For sealing only; not exported from the package. */
export function withSecretOf<Result>(key: SessionKey, use: (secret: Uint8Array) => Result): Result {
  const secret = secrets.get(key)
  if (!secret) throw zeroed()
  return use(secret)
}

function isSecret(curve: Curve, bytes: Uint8Array): boolean {
  return bytes.length === keyLength && curves[curve].utils.isValidPrivateKey(bytes)
}

function zeroed() {
  return new BardoError('The session key was wiped.', {
    code: 'SESSION_KEY_ZEROED',
    remedy: 'Rotate to a new key, or ask the owner for a new grant.',
  })
}
