import { createSubmitter, systemClock } from '@bardo/chain'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { submitOnce } from './submitOnce.ts'

let context: TestWorld
beforeAll(async () => {
  context = await openTestWorld()
})
afterAll(() => context?.stop())

/** A funded key with its submitter. */
async function keyWith(isInUse: () => Promise<boolean>) {
  const { world, store } = context
  const signer = privateKeyToAccount(generatePrivateKey())
  await world.fund(signer.address, { ETH: parseEther('1') })
  const { client, chainId } = world
  const settings = { finality: 1, pollMs: 20 }
  return createSubmitter({
    client,
    chainId,
    journal: store.journal,
    clock: systemClock,
    signer,
    settings,
    isInUse,
  })
}

it('sends an intent that a retired key had not signed with the new key, once', async () => {
  const { world, store } = context
  const to = privateKeyToAddress(generatePrivateKey())
  const gift = { id: 'gift', to, value: 5n }
  const retired = await keyWith(async () => false)
  await expect(submitOnce(store.journal, retired, gift)).rejects.toMatchObject({
    code: 'INTENT_CLOSED',
    outcome: 'not-sent',
  })
  expect(await world.client.getBalance({ address: to })).toBe(0n)

  const current = await keyWith(async () => true)
  const landed = await submitOnce(store.journal, current, gift)
  expect(landed).toMatchObject({ status: 'success' })
  // Neither key sends it a second time.
  expect(await submitOnce(store.journal, current, gift)).toEqual(landed)
  expect(await submitOnce(store.journal, retired, gift)).toEqual(landed)
  expect(await world.client.getBalance({ address: to })).toBe(5n)
})
