import { systemClock } from '@bardo/chain'
import { createMemoryJournal, generateSessionKey } from '@bardo/core'
import { type Devnet, devnetAccount, startDevnet } from '@bardo/devnet'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDelegationWallet } from './createDelegationWallet.ts'
import { createWalletSubmitter } from './createWalletSubmitter.ts'

let world: Devnet
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
})
afterAll(() => world?.stop())

it('sends a request once, though it is submitted twice and by two submitters', async () => {
  const key = generateSessionKey('secp256k1', (length) => crypto.getRandomValues(new Uint8Array(length)))
  const { client, chainId } = world
  const wallet = createDelegationWallet({ key, chains: [chainId] })
  await world.fund(wallet.address, { ETH: parseEther('1') })
  const journal = createMemoryJournal()
  const settings = { finality: 1, pollMs: 20 }
  const open = () => createWalletSubmitter(wallet, { client, chainId, journal, clock: systemClock, settings })
  const request = { id: 'one', to: devnetAccount('operator').address, value: 1n }
  const landed = await open().submit(request)
  expect(landed).toMatchObject({ id: 'one', nonce: 0, status: 'success' })
  expect(await open().submit(request)).toEqual(landed)
  expect(await client.getTransactionCount({ address: wallet.address })).toBe(1)
  const { from, hash } = await client.getTransaction({ hash: landed.hash })
  expect(from.toLowerCase()).toBe(wallet.address.toLowerCase())
  expect((await journal.find('one'))?.attempts.map((attempt) => attempt.hash)).toEqual([hash])
})
