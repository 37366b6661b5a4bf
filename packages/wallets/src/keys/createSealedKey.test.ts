import { openSealedKey } from '@bardo/core'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { createSealedKey } from './createSealedKey.ts'
import { importKey } from './importKey.ts'

const secret = { kind: 'operator', secret: new Uint8Array(32).fill(7) } as const

describe('a new sealed key', () => {
  it('opens in the context that depends on its address', async () => {
    const made = await createSealedKey({ secret, contextOf: async (address) => `golem of ${address}` })
    expect(made.context).toBe(`golem of ${made.address}`)
    const key = await openSealedKey(made.sealed, secret, { context: made.context })
    expect(key).toMatchObject({ address: made.address, publicKey: made.publicKey, curve: made.curve })
    await expect(openSealedKey(made.sealed, secret, { context: 'another' })).rejects.toMatchObject({
      code: 'SEALED_KEY_TAMPERED',
    })
  })

  it('has only public fields', async () => {
    const made = await createSealedKey({ secret, contextOf: () => 'golem' })
    expect(Object.keys(made).sort()).toEqual(['address', 'context', 'curve', 'publicKey', 'sealed'])
  })

  it('is the imported key, as often as it is sealed', async () => {
    const text = generatePrivateKey()
    const imported = importKey({ reveal: () => text })
    for (const context of ['first', 'second']) {
      const { address, sealed } = await createSealedKey({ secret, imported, contextOf: () => context })
      expect(address).toBe(privateKeyToAddress(text))
      expect((await openSealedKey(sealed, secret, { context })).address).toBe(address)
    }
  })
})
