import { readState, revoke } from '@bardo/chain'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import { partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { regrant } from './regrant.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const narrower = 'Every day, swap $5 of USDC into WETH.\n\nlifespan: 30 days'
const day = 86_400

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

async function summon() {
  const summoned = await summonIn(world, store, dca)
  const parts = partsOf(world, store, summoned.id)
  return { ...summoned, parts, golem: await createGolem(parts) }
}

/**
 * A tick during which something else happens, just before it reads the chain with the permission it began
 * with.
 */
async function tickWhile({ parts }: Awaited<ReturnType<typeof summon>>, happens: () => Promise<unknown>) {
  let isOver = false
  const golem = await createGolem({
    ...parts,
    async reader(reads) {
      if (!isOver) {
        isOver = true
        await happens()
      }
      return readState(parts.client, parts.deployment, reads)
    },
  })
  return golem.tick()
}

describe('a tick that reads the chain with a root replaced a moment ago', () => {
  it.each([
    ['fed', undefined],
    ['adjusted', narrower],
  ])('does not end a Golem that is %s', async (_, strategy) => {
    const all = await summon()
    const { signer, parts, golem } = all
    await golem.tick()
    expect(await tickWhile(all, () => regrant(signer, parts, strategy))).toMatchObject({
      type: 'ticked',
      state: { recovery: { type: 'observing', reason: 'regranting' } },
    })
    expect(await golem.tick()).toMatchObject({ type: 'ticked', state: { recovery: { type: 'acting' } } })
  })

  it('does not end a Golem that is fed in the last second of its window', async () => {
    const all = await summon()
    const { signer, parts, golem } = all
    await golem.tick()
    await world.warp(31 * day)
    expect(await tickWhile(all, () => regrant(signer, parts))).toMatchObject({ type: 'ticked' })
    expect(await golem.tick()).toMatchObject({ type: 'ticked', state: { recovery: { type: 'acting' } } })
  })

  it('does not leave a Golem terminal whose window ends during a tick while it is fed', async () => {
    const all = await summon()
    const { signer, parts, golem } = all
    await golem.tick()
    const happens = async () => {
      await world.warp(31 * day)
      await regrant(signer, parts, narrower)
    }
    expect(await tickWhile(all, happens)).toMatchObject({ type: 'ticked', state: { phase: 'thriving' } })
    expect(await golem.tick()).toMatchObject({
      type: 'ticked',
      state: { phase: 'thriving', recovery: { type: 'acting' } },
    })
  })

  it('ends a Golem whose owner revoked it', async () => {
    const all = await summon()
    const { signer, root } = all
    const happens = () => revoke(signer, { delegation: root, cause: 'owner' })
    expect(await tickWhile(all, happens)).toMatchObject({
      type: 'dying',
      death: { trigger: 'ownerRevocation' },
    })
  })

  it('does not end a Golem for a revocation that a reorganisation removes', async () => {
    const { id, signer, root, golem: young } = await summon()
    // Its first tick trades and publishes: with a finality of three blocks it would wait for blocks that
    // nothing mines.
    await young.tick()
    const finality = { submitter: { finality: 3, pollMs: 20, patienceMs: 200 } }
    const golem = await createGolem(partsOf(world, store, id, finality))
    const snapshot = await world.client.request({ method: 'evm_snapshot' as never })
    await revoke(signer, { delegation: root, cause: 'owner' })
    expect(await golem.tick()).toMatchObject({
      type: 'ticked',
      state: { recovery: { type: 'observing', reason: 'revocationSeen' } },
    })
    // The block is reverted, and the revocation with it.
    await world.client.request({ method: 'evm_revert' as never, params: [snapshot] as never })
    expect(await golem.tick()).toMatchObject({ type: 'ticked', state: { recovery: { type: 'acting' } } })
  })

  it('ends a Golem once the revocation is final', async () => {
    const { id, signer, root, golem: young } = await summon()
    // Its first tick trades and publishes: with a finality of three blocks it would wait for blocks that
    // nothing mines.
    await young.tick()
    const finality = { submitter: { finality: 3, pollMs: 20, patienceMs: 200 } }
    const golem = await createGolem(partsOf(world, store, id, finality))
    await revoke(signer, { delegation: root, cause: 'owner' })
    expect(await golem.tick()).toMatchObject({ type: 'ticked' })
    for (let blocks = 0; blocks < 2; blocks += 1) await world.warp(1)
    expect(await golem.tick()).toMatchObject({ type: 'dying', death: { trigger: 'ownerRevocation' } })
  })
})
