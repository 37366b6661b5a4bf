import { generateSessionKey, sessionKeyFrom } from '@bardo/core'
import { hexToBytes } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { sessionKeyAccount } from './sessionKeyAccount.ts'

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const typedData = {
  domain: { name: 'Bardo', chainId: 1 },
  types: { Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  message: { text: 'hello' },
} as const
const transaction = {
  type: 'eip1559',
  chainId: 1,
  nonce: 7,
  to: '0x00000000000000000000000000000000000000aa',
  value: 1n,
  gas: 21_000n,
  maxFeePerGas: 2n,
  maxPriorityFeePerGas: 1n,
} as const

it('signs byte for byte as viem’s own account does', async () => {
  for (let round = 0; round < 8; round += 1) {
    const secret = generatePrivateKey()
    const theirs = privateKeyToAccount(secret)
    const ours = sessionKeyAccount(sessionKeyFrom('secp256k1', hexToBytes(secret)))
    expect(ours.address).toBe(theirs.address)
    expect(await ours.signTransaction(transaction)).toBe(await theirs.signTransaction(transaction))
    expect(await ours.signTypedData(typedData)).toBe(await theirs.signTypedData(typedData))
    const message = `round ${round}`
    expect(await ours.signMessage({ message })).toBe(await theirs.signMessage({ message }))
  }
})

it('signs nothing once the key is wiped', async () => {
  const key = generateSessionKey('secp256k1', random)
  const account = sessionKeyAccount(key)
  key.wipe()
  const zeroed = { code: 'SESSION_KEY_ZEROED', outcome: 'not-sent' }
  await expect(account.signTransaction(transaction)).rejects.toMatchObject(zeroed)
  await expect(account.signMessage({ message: 'x' })).rejects.toMatchObject(zeroed)
})

it('refuses a P-256 key', () => {
  const key = generateSessionKey('p256', random)
  expect(() => sessionKeyAccount(key)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
})
