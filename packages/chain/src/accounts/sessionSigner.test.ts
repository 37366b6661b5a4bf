import { generateSessionKey } from '@bardo/core'
import { recoverMessageAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { sessionSigner } from './sessionSigner.ts'

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

describe('a session signer', () => {
  it('signs as the key’s account', async () => {
    const key = generateSessionKey('secp256k1', random)
    const { account, address, publicKey, curve } = sessionSigner(key)
    expect({ address, publicKey, curve }).toEqual({
      address: key.address,
      publicKey: key.publicKey,
      curve: 'secp256k1',
    })
    const signature = await account?.signMessage({ message: 'hello' })
    expect(await recoverMessageAddress({ message: 'hello', signature: signature ?? '0x' })).toBe(key.address)
  })

  it('has no account for a P-256 key', () => {
    const { account, address } = sessionSigner(generateSessionKey('p256', random))
    expect([account, address]).toEqual([undefined, undefined])
  })

  it('does not give the key away', () => {
    const signer = sessionSigner(generateSessionKey('secp256k1', random))
    expect(Object.keys(signer).sort()).toEqual(['account', 'accountSigner', 'address', 'curve', 'publicKey'])
  })
})
