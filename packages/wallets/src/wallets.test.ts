import { BardoError, generateSessionKey, type RevocationState, sessionKeyFrom } from '@bardo/core'
import { recoverMessageAddress } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { createDelegationWallet } from './createDelegationWallet.ts'
import { createLocalKeyWallet } from './createLocalKeyWallet.ts'

const fresh = () =>
  generateSessionKey('secp256k1', (length) => crypto.getRandomValues(new Uint8Array(length)))
const active = async (): Promise<RevocationState> => ({ type: 'active' })
const silent = () => {}

function anvilKey(addressIndex: number) {
  const words = 'test test test test test test test test test test test junk'
  const bytes = mnemonicToAccount(words, { addressIndex }).getHdKey().privateKey
  if (!bytes) throw new Error('no key')
  return sessionKeyFrom('secp256k1', Uint8Array.from(bytes))
}

describe('a wallet', () => {
  it.each([
    ['delegation', createDelegationWallet],
    [
      'localKey',
      (options: Parameters<typeof createDelegationWallet>[0]) =>
        createLocalKeyWallet({ ...options, warn: silent }),
    ],
  ] as const)('with custody mode %s signs with its key and does not expose it', async (custody, create) => {
    const key = fresh()
    const wallet = create({ key, chains: [8453], standing: active })
    expect(wallet).toMatchObject({ address: key.address, chains: [8453], custody })
    const signature = await wallet.account.signMessage({ message: 'hello' })
    expect(await recoverMessageAddress({ message: 'hello', signature })).toBe(wallet.address)
    expect(Object.keys(wallet.account)).not.toContain('privateKey')
    expect(await wallet.health()).toEqual({ type: 'healthy' })
  })

  it('reports why it cannot work', async () => {
    const key = fresh()
    const standing: { now: RevocationState | BardoError } = { now: { type: 'active' } }
    const wallet = createDelegationWallet({
      key,
      chains: [8453],
      async standing() {
        if (standing.now instanceof BardoError) throw standing.now
        return standing.now
      },
    })
    standing.now = { type: 'revoked', link: '0x01', transaction: '0x02', at: 3n }
    expect(await wallet.health()).toEqual({
      type: 'unhealthy',
      code: 'DELEGATION_DISABLED',
      because: 'The delegation is revoked.',
    })
    standing.now = new BardoError('The RPC node does not answer.', { code: 'RPC_UNAVAILABLE' })
    expect(await wallet.health()).toMatchObject({ type: 'unhealthy', code: 'RPC_UNAVAILABLE' })
    key.wipe()
    expect(await wallet.health()).toMatchObject({ type: 'unhealthy', code: 'SESSION_KEY_ZEROED' })
    await expect(wallet.account.signMessage({ message: 'hello' })).rejects.toThrow('wiped')
  })

  it('with a local key warns once', () => {
    const warnings: string[] = []
    const { address } = createLocalKeyWallet({
      key: fresh(),
      chains: [8453],
      standing: active,
      warn: (message) => warnings.push(message),
    })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(address)
  })

  it('accepts anvil’s keys only on the devnet', () => {
    const open = (place: number, chains: number[]) =>
      createLocalKeyWallet({ key: anvilKey(place), chains, standing: active, warn: silent })
    for (const place of [0, 9, 19]) {
      expect(open(place, [31_337]).custody).toBe('localKey')
      expect(() => open(place, [31_337, 8453])).toThrow(expect.objectContaining({ code: 'KEY_NOT_SECRET' }))
    }
  })
})
