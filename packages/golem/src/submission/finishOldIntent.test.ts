import { createSubmitter, systemClock } from '@bardo/chain'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { finishOldIntent } from './finishOldIntent.ts'

let context: TestWorld
beforeAll(async () => {
  context = await openTestWorld()
})
afterAll(() => context?.stop())

it('ends an action that the old key has not signed, so that a slow process does not send it later', async () => {
  const { world, store } = context
  const { client, chainId } = world
  const { journal } = store
  const { id, root } = await summonIn(
    world,
    store,
    'Every day, swap $5 of USDC into WETH.\n\nlifespan: 3 days',
  )
  const signer = privateKeyToAccount(generatePrivateKey())
  await world.fund(signer.address, { ETH: parseEther('1') })
  const to = privateKeyToAddress(generatePrivateKey())
  const gift = { id: `${id}:tick:1:act`, to, value: 5n }
  const intent = { ...gift, chainId, from: signer.address, data: '0x', gas: 21_000n } as const
  await journal.addIntent(intent, systemClock.now())
  await journal.claimNonce(gift.id, 0)
  const intention = { type: 'swap', from: 'USDC', to: 'WETH', cents: 500n, because: 'a test' } as const
  const pending = { intentId: gift.id, valueCents: 500n, capabilityId: 'none', intention }
  await expect(finishOldIntent(partsOf(world, store, id), pending, root.delegate)).rejects.toMatchObject({
    code: 'INTENT_CLOSED',
    outcome: 'not-sent',
  })
  const settings = { finality: 1, pollMs: 20 }
  const slow = createSubmitter({ client, chainId, journal, clock: systemClock, signer, settings })
  await expect(slow.submit(gift)).rejects.toMatchObject({ code: 'INTENT_CLOSED' })
  expect(await client.getBalance({ address: to })).toBe(0n)
})
