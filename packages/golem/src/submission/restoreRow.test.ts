import { createSubmitter } from '@bardo/chain'
import { createMemoryJournal, type Journal } from '@bardo/core'
import { type Devnet, devnetAccount } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { type Hash, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import type { Intention } from '../strategy/strategy.ts'
import { summonGolem } from '../summon/summonGolem.ts'
import { balanceOf, ownerIn, partsOf } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'

const text = 'Swap USDC into WETH and back, at most $50 each.\n\nlifespan: 30 days\nbudget: $5000/day'
const buy: Intention = { type: 'swap', from: 'USDC', to: 'WETH', cents: 5_000n, because: 'a test' }

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

const reorg = (depth: number) => world.client.request({ method: 'anvil_reorg', params: [depth, []] } as never)
const namesOf = async (golem: Hash) =>
  (await store.events.read({ after: 0, golem, limit: 1_000 })).map(({ name }) => name)

/** A Golem that is registered in the last block, and buys at every tick. */
async function registered(name: string, journal: Journal) {
  const { summons, account } = await ownerIn(world, store, text, { name })
  const { client, clock, deployment } = summons
  const sponsor = createSubmitter({
    client,
    clock,
    chainId: deployment.chainId,
    journal,
    signer: devnetAccount('operator'),
    settings: { finality: 1, pollMs: 20 },
  })
  const { id } = await summonGolem({
    ...summons,
    sponsor,
    async drip(key) {
      await world.fund(key, { ETH: parseEther('1') })
      // The funding survives a reorganisation of the blocks after it.
      await world.client.mine({ blocks: 2 })
    },
  })
  const submitter = { finality: 1, pollMs: 20, patienceMs: 2_000, replaceAfterMs: 1_000 }
  const golem = await createGolem(partsOf(world, store, id, { strategy: async () => buy, submitter }))
  const before = await balanceOf(world, world.addresses.usdc, account)
  const spent = async () => (before - (await balanceOf(world, world.addresses.usdc, account))) / 1_000_000n
  return { id, golem, spent, state: async () => (await golem.look()).vitals.state }
}

describe('a Golem whose registration was reorganised away', () => {
  it('is registered again by the stored transaction, and trades', async () => {
    const { id, golem, spent, state } = await registered('resent', store.journal)
    await reorg(1)
    expect(await state()).toBe('unknown')
    expect(await golem.tick()).toMatchObject({ type: 'ticked' })
    expect(await state()).toBe('alive')
    expect(await spent()).toBe(50n)
    expect(await namesOf(id)).toContain('golem.registeredAgain')
    expect(await store.journal.find(`register-again-${id}`)).toBeUndefined()
  })

  it('is registered again by its own key if the stored transaction cannot land any more', async () => {
    const { id, golem, spent, state } = await registered('displaced', store.journal)
    await reorg(1)
    // The sponsor used the nonce for another transaction.
    const operator = devnetAccount('operator')
    const other = { account: operator, chain: null, to: operator.address } as const
    await world.client.waitForTransactionReceipt({ hash: await world.client.sendTransaction(other) })
    expect(await golem.tick()).toMatchObject({ type: 'ticked' })
    expect(await state()).toBe('alive')
    expect(await spent()).toBe(50n)
    expect((await store.journal.find(`register-again-${id}`))?.settlement?.kind).toBe('landed')
  })

  it('is registered again by its own key if the journal is elsewhere', async () => {
    const { golem, spent, state } = await registered('elsewhere', createMemoryJournal())
    await reorg(1)
    expect(await state()).toBe('unknown')
    expect(await golem.tick()).toMatchObject({ type: 'ticked' })
    expect(await state()).toBe('alive')
    expect(await spent()).toBe(50n)
  })
})

describe('a Golem whose rotation was reorganised away', () => {
  it('sends the wiped key’s signed transactions again, and trades with the new key', async () => {
    const { id, golem, spent } = await registered('rotated', store.journal)
    await golem.tick()
    await world.client.mine({ blocks: 3 })
    const before = await world.client.getBlockNumber({ cacheTime: 0 })
    expect(await golem.rotate('age')).toMatchObject({ status: 'done' })
    const { writer } = (await golem.look()).vitals
    const depth = Number((await world.client.getBlockNumber({ cacheTime: 0 })) - before)
    await reorg(depth)
    expect((await golem.look()).vitals.writer).not.toBe(writer)
    await golem.tick()
    expect((await golem.look()).vitals.writer).toBe(writer)
    expect(await spent()).toBe(100n)
    expect(await namesOf(id)).not.toContain('recovery.observing')
  })

  it('recovers the gas from the wiped key, and trades with it', async () => {
    const { id, golem, spent } = await registered('swept', store.journal)
    await golem.tick()
    await world.client.mine({ blocks: 3 })
    expect(await golem.rotate('age')).toMatchObject({ status: 'done' })
    const [old, key] = (await store.sessionKeys.list(id)).map(({ address }) => address)
    if (!old || !key) throw new Error('a key is missing')
    // The sweep is the last transaction of a rotation.
    await reorg(1)
    expect(await world.client.getBalance({ address: key })).toBe(0n)
    await golem.tick()
    expect(await world.client.getBalance({ address: old })).toBe(0n)
    expect(await spent()).toBe(100n)
    expect(await namesOf(id)).not.toContain('recovery.observing')
  })
})

describe('a Golem whose trade was reorganised away', () => {
  it('records it, lands it again as signed, and continues trading', async () => {
    const { id, golem, spent } = await registered('undone', store.journal)
    await world.client.mine({ blocks: 3 })
    await golem.tick()
    expect(await spent()).toBe(50n)
    await reorg(1)
    expect(await spent()).toBe(0n)
    await golem.tick()
    expect(await spent()).toBe(100n)
    const names = await namesOf(id)
    expect(names.filter((name) => name === 'action.landed')).toHaveLength(2)
    expect(names).toContain('submission.landingUndone')
  })
})
