import { generateSessionKey, sessionKeyFrom } from '@bardo/core'
import { createPublicClient, custom, recoverTypedDataAddress } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { createDelegationWallet } from './createDelegationWallet.ts'
import { createLocalKeyWallet } from './createLocalKeyWallet.ts'

const fresh = () =>
  generateSessionKey('secp256k1', (length) => crypto.getRandomValues(new Uint8Array(length)))
const typedData = {
  domain: { name: 'Test', chainId: 8453 },
  types: { Greeting: [{ name: 'text', type: 'string' }] },
  primaryType: 'Greeting',
  message: { text: 'hello' },
} as const
const client = createPublicClient({
  transport: custom({ request: () => Promise.reject(new Error('no node')) }),
})

function anvilKey(addressIndex: number) {
  const words = 'test test test test test test test test test test test junk'
  const bytes = mnemonicToAccount(words, { addressIndex }).getHdKey().privateKey
  if (!bytes) throw new Error('no key')
  return sessionKeyFrom('secp256k1', Uint8Array.from(bytes))
}

describe.each([
  ['delegation', createDelegationWallet],
  ['localKey', createLocalKeyWallet],
] as const)('a wallet with custody mode %s', (custody, create) => {
  it('signs with its key', async () => {
    const key = fresh()
    const wallet = create({ key, chains: [8453] })
    expect(wallet.address).toBe(key.address)
    const signature = await wallet.signTypedData(typedData)
    expect(await recoverTypedDataAddress({ ...typedData, signature })).toBe(wallet.address)
  })

  it('has no function that signs a transaction or returns the key', () => {
    const wallet = create({ key: fresh(), chains: [8453] })
    expect(Object.keys(wallet).sort()).toEqual([
      'address',
      'backend',
      'capabilities',
      'health',
      'signTypedData',
    ])
  })

  it('describes itself as plain data', () => {
    const { capabilities } = create({ key: fresh(), chains: [8453] })
    expect(capabilities).toMatchObject({ custody, chains: [8453], backend: 'transaction' })
    expect(JSON.parse(JSON.stringify(capabilities))).toEqual(capabilities)
  })

  it('brings a backend for its own chains only', () => {
    const wallet = create({ key: fresh(), chains: [8453] })
    expect(wallet.backend({ client, chainId: 8453 }).from).toBe(wallet.address)
    expect(() => wallet.backend({ client, chainId: 1 })).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_CHAIN' }),
    )
  })

  it('reports a wiped key, and signs nothing with it', async () => {
    const key = fresh()
    const wallet = create({ key, chains: [8453] })
    expect(await wallet.health()).toEqual({ type: 'healthy' })
    key.wipe()
    expect(await wallet.health()).toEqual({
      type: 'unhealthy',
      code: 'SESSION_KEY_ZEROED',
      because: 'The session key was wiped.',
    })
    await expect(wallet.signTypedData(typedData)).rejects.toMatchObject({ code: 'SESSION_KEY_ZEROED' })
  })
})

describe('a wallet with a local key', () => {
  it('warns the operator; one with a delegation does not', () => {
    const { address, capabilities } = createLocalKeyWallet({ key: fresh(), chains: [8453] })
    expect(capabilities.warning).toContain(address)
    const other = createDelegationWallet({ key: fresh(), chains: [8453] })
    expect(other.capabilities.warning).toBeUndefined()
  })

  it('accepts anvil’s keys only on the devnet', () => {
    const open = (place: number, chains: number[]) => createLocalKeyWallet({ key: anvilKey(place), chains })
    for (const place of [0, 9, 19]) {
      expect(open(place, [31_337]).capabilities.custody).toBe('localKey')
      expect(() => open(place, [31_337, 8453])).toThrow(expect.objectContaining({ code: 'KEY_NOT_SECRET' }))
    }
  })
})
