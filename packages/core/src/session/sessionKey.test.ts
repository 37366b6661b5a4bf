import { inspect } from 'node:util'
import { p256 } from '@noble/curves/nist'
import fc from 'fast-check'
import { bytesToHex, hexToBytes, recoverAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { generateSessionKey, type SessionKey, sessionKeyFrom } from './sessionKey.ts'

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const digest = new Uint8Array(32).fill(7)
const bytes32 = () => fc.uint8Array({ minLength: 32, maxLength: 32 })

function compact(key: SessionKey, message: Uint8Array): Uint8Array {
  const { r, s } = key.sign(message)
  return new Uint8Array([...hexToBytes(r), ...hexToBytes(s)])
}

describe('a session key', () => {
  it('signs as viem does, for the same account', async () => {
    await fc.assert(
      fc.asyncProperty(bytes32(), bytes32(), async (secret, message) => {
        fc.pre(secret.some((byte) => byte !== 0) && secret[0] !== 255)
        const account = privateKeyToAccount(bytesToHex(secret))
        const key = sessionKeyFrom('secp256k1', Uint8Array.from(secret))
        const { r, s, yParity } = key.sign(message)
        expect(key.address).toBe(account.address)
        expect(await recoverAddress({ hash: bytesToHex(message), signature: { r, s, yParity } })).toBe(
          account.address,
        )
        expect(await account.sign({ hash: bytesToHex(message) })).toBe(
          `${r}${s.slice(2)}${yParity ? '1c' : '1b'}`,
        )
      }),
      { numRuns: 25 },
    )
  })

  it('signs a digest on P-256 with low s', () => {
    const half = p256.CURVE.n >> 1n
    const key = generateSessionKey('p256', random)
    expect(key.address).toBeUndefined()
    for (let round = 0; round < 16; round += 1) {
      const message = random(32)
      const signature = compact(key, message)
      expect(BigInt(bytesToHex(signature.subarray(32))) <= half).toBe(true)
      const point = hexToBytes(`0x04${key.publicKey.slice(2)}`)
      expect(p256.verify(signature, message, point, { prehash: false })).toBe(true)
    }
  })

  it.each(['secp256k1', 'p256'] as const)('refuses to sign once wiped (%s)', (curve) => {
    const key = generateSessionKey(curve, random)
    key.sign(digest)
    key.wipe()
    key.wipe()
    expect(key.wiped).toBe(true)
    expect(() => key.sign(digest)).toThrow(expect.objectContaining({ code: 'SESSION_KEY_ZEROED' }))
  })

  it('clears the caller’s bytes', () => {
    const bytes = random(32).fill(1)
    sessionKeyFrom('secp256k1', bytes)
    expect(bytes.every((byte) => byte === 0)).toBe(true)
  })

  it('prints no secret', () => {
    const secret = new Uint8Array(32).fill(0xab)
    const key = sessionKeyFrom('secp256k1', secret)
    const shown = JSON.stringify(key) + inspect(key, { depth: 9, showHidden: true })
    expect(shown).not.toMatch(/abab|171,\s*171/)
  })

  it('refuses an invalid key and an invalid digest', () => {
    const bad = expect.objectContaining({ code: 'INVALID_INPUT' })
    expect(() => sessionKeyFrom('secp256k1', new Uint8Array(32))).toThrow(bad)
    expect(() => sessionKeyFrom('p256', new Uint8Array(32).fill(255))).toThrow(bad)
    expect(() => sessionKeyFrom('p256', new Uint8Array(31).fill(1))).toThrow(bad)
    expect(() => generateSessionKey('p256', (length) => new Uint8Array(length))).toThrow(bad)
    expect(() => generateSessionKey('p256', random).sign(new Uint8Array(31))).toThrow(bad)
  })
})
