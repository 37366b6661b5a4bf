import { scrypt as nodeScrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { sha256 } from '@noble/hashes/sha2'
import fc from 'fast-check'
import { bytesToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  openSealedKey,
  type Scrypt,
  type SealedKey,
  type SealingSecret,
  sealSessionKey,
} from './sealedKey.ts'
import { type Curve, generateSessionKey } from './sessionKey.ts'

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const digest = new Uint8Array(32).fill(3)
const cost = { N: 1_024, r: 8, p: 1 }
const options = { context: 'golem-1', cost }
const passphrase: SealingSecret = { kind: 'passphrase', passphrase: 'correct horse' }
const operator: SealingSecret = { kind: 'operator', secret: random(32) }
const wrong = { code: 'SEALED_KEY_WRONG_SECRET' }
const changed = { code: 'SEALED_KEY_TAMPERED' }

const seal = (curve: Curve, secret: SealingSecret) => {
  const key = generateSessionKey(curve, random)
  return sealSessionKey(key, secret, random, options).then((sealed) => ({ key, sealed }))
}

describe.each([
  ['a passphrase', passphrase],
  ['an operator’s secret', operator],
] as const)('a key sealed under %s', (_name, secret) => {
  it.each(['secp256k1', 'p256'] as const)('opens as the same key (%s)', async (curve) => {
    const { key, sealed } = await seal(curve, secret)
    const stored: SealedKey = JSON.parse(JSON.stringify(sealed))
    const opened = await openSealedKey(stored, secret, options)
    expect(opened.publicKey).toBe(key.publicKey)
    expect(opened.sign(digest)).toEqual(key.sign(digest))
  })

  it('does not open with another secret, or with one of the other kind', async () => {
    const { sealed } = await seal('p256', secret)
    const others: SealingSecret[] = [
      { kind: 'passphrase', passphrase: 'correct house' },
      { kind: 'operator', secret: random(32) },
    ]
    for (const other of others)
      await expect(openSealedKey(sealed, other, options)).rejects.toMatchObject(wrong)
  })

  it('does not open for another Golem', async () => {
    const { sealed } = await seal('p256', secret)
    const stranger = openSealedKey(sealed, secret, { context: 'golem-2' })
    await expect(stranger).rejects.toMatchObject(changed)
  })

  it('does not open after any change', async () => {
    const { sealed } = await seal('secp256k1', secret)
    const fields = ['publicKey', 'salt', 'nonce', 'check', 'sealed', 'checksum'] as const
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fields), fc.nat(31), async (field, place) => {
        const at = 2 + place
        const digit = sealed[field][at] === '0' ? '1' : '0'
        const text = `0x${sealed[field].slice(2, at)}${digit}${sealed[field].slice(at + 1)}` as const
        const opening = openSealedKey({ ...sealed, [field]: text }, secret, options)
        await expect(opening).rejects.toMatchObject(changed)
      }),
      { numRuns: 60 },
    )
    const swapped: SealedKey = { ...sealed, curve: 'p256' }
    await expect(openSealedKey(swapped, secret, options)).rejects.toMatchObject(changed)
  })

  it('is not sealed once wiped', async () => {
    const key = generateSessionKey('p256', random)
    key.wipe()
    await expect(sealSessionKey(key, secret, random, options)).rejects.toMatchObject({
      code: 'SESSION_KEY_ZEROED',
    })
  })
})

it('does not open after a change with a corrected checksum', async () => {
  const { sealed } = await seal('p256', operator)
  const { sealed: other } = await seal('p256', operator)
  const mend = (stored: SealedKey): SealedKey => {
    const { version, curve, publicKey, cipher, salt, nonce, check } = stored
    const text = [version, curve, publicKey, 'hkdf-sha256', cipher, salt, nonce, check, stored.sealed].join(
      '\n',
    )
    return { ...stored, checksum: bytesToHex(sha256(new TextEncoder().encode(text))) }
  }
  expect(mend(sealed)).toEqual(sealed)
  for (const change of [{ publicKey: other.publicKey }, { nonce: other.nonce }, { sealed: other.sealed }])
    await expect(openSealedKey(mend({ ...sealed, ...change }), operator, options)).rejects.toMatchObject(
      changed,
    )
})

it('accepts another implementation of scrypt', async () => {
  const node = promisify(nodeScrypt) as (
    ...args: [Uint8Array, Uint8Array, number, object]
  ) => Promise<Uint8Array>
  const scrypt: Scrypt = (secret, salt, { dkLen, ...rest }) => node(secret, salt, dkLen, rest)
  const { sealed, key } = await seal('p256', passphrase)
  expect((await openSealedKey(sealed, passphrase, { ...options, scrypt })).publicKey).toBe(key.publicKey)
})

it('refuses a file with an excessive cost', async () => {
  const { sealed } = await seal('p256', passphrase)
  const greedy: SealedKey = { ...sealed, kdf: { name: 'scrypt', N: 2 ** 30, r: 8, p: 1 } }
  await expect(openSealedKey(greedy, passphrase, options)).rejects.toMatchObject(changed)
})

it('refuses weak secrets', async () => {
  const bad = { code: 'INVALID_INPUT' }
  await expect(seal('p256', { kind: 'passphrase', passphrase: '' })).rejects.toMatchObject(bad)
  await expect(seal('p256', { kind: 'operator', secret: random(16) })).rejects.toMatchObject(bad)
})
