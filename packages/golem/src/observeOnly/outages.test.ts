import { readGasPrice, systemClock } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import type { Clock } from '@bardo/core'
import { type Devnet, devnetAccount } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { type Address, createPublicClient, type Hash, http, parseAbi, parseEther, zeroHash } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGolem, type LivingGolem } from '../heartbeat/createGolem.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { answerRequest } from '../requests/answerRequest.ts'
import { createOwnerResponder } from '../requests/createOwnerResponder.ts'
import { readOwnerAsk } from '../requests/ownerRequest.ts'
import type { Intention } from '../strategy/strategy.ts'
import { balanceOf, partsOf, summonIn } from '../testing/golemWorld.ts'
import { outages, startNodeProxy } from '../testing/nodeProxy.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { observeReasons } from './observeOnly.ts'

const text = 'Swap USDC into WETH and back, at most $50 each.\n\nlifespan: 30 days\nbudget: $5000/day'
const buy: Intention = { type: 'swap', from: 'USDC', to: 'WETH', cents: 5_000n, because: 'a test' }

let world: Devnet
let context: TestWorld
let store: Store
let node: Awaited<ReturnType<typeof startNodeProxy>>
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
  node = await startNodeProxy(world.url)
})
afterEach(() => {
  node.outage = undefined
  node.only = undefined
})
afterAll(async () => {
  await node?.stop()
  await context?.stop()
})

/**
 * A Golem that tries to buy at every tick and reaches the chain through the proxy; its clock moves to the
 * next tick.
 */
async function live(change: Partial<GolemParts> = {}) {
  const summoned = await summonIn(world, store, text)
  let now = Date.now()
  const clock: Clock = {
    now: () => now,
    async sleep(milliseconds) {
      await systemClock.sleep(milliseconds)
      now += milliseconds
    },
  }
  const transport = http(node.url, { timeout: 2_000, retryCount: 0 })
  const settings = {
    strategy: async () => buy,
    submitter: { finality: 1, pollMs: 20, patienceMs: 200, replaceAfterMs: 1_000 },
  }
  const parts: GolemParts = {
    ...partsOf(world, store, summoned.id, settings),
    client: createPublicClient({ chain: world.chain, transport, cacheTime: 0, pollingInterval: 20 }),
    clock,
    ...change,
  }
  const golem = await createGolem(parts)
  const usdc = () => balanceOf(world, world.addresses.usdc, summoned.account)
  const start = await usdc()
  return {
    ...summoned,
    parts,
    golem,
    clock,
    spent: async () => Number((start - (await usdc())) / 1_000_000n),
    async tick() {
      const at = Math.floor(now / 1_000)
      const state = await ticked(golem)
      now = state.nextTickAt * 1_000
      return { ...state, waits: state.nextTickAt - at }
    },
  }
}

async function ticked(golem: LivingGolem) {
  const result = await golem.tick()
  if (result.type !== 'ticked') throw new Error(result.type)
  return result.state
}
const eventsOf = async (golem: Hash) =>
  (await store.events.read({ after: 0, golem, limit: 1_000 })).map(({ body }) => body)
const statusOf = async (golem: Hash) => (await store.golems.find(golem))?.status

describe('an unavailable node', () => {
  it.each(outages)('is retried with doubled waits, and then the Golem acts again: %s', async (outage) => {
    const { id, tick, spent } = await live()
    node.outage = outage
    for (const [attempts, wait] of [
      [1, 5],
      [2, 10],
      [3, 20],
    ] as const) {
      const { recovery, waits } = await tick()
      expect(recovery).toMatchObject({ type: 'observing', reason: 'rpcOutage', attempts })
      expect(waits).toBeGreaterThanOrEqual(wait / 2)
      expect(waits).toBeLessThanOrEqual(wait + 2)
    }
    expect(await statusOf(id)).toBe('observing')
    expect(await spent()).toBe(0)

    node.outage = undefined
    expect((await tick()).recovery).toEqual({ type: 'acting' })
    expect(await statusOf(id)).toBe('alive')
    expect(await spent()).toBe(50)
    const recorded = await eventsOf(id)
    expect(recorded.filter((event) => nameOf(event) === 'recovery.observing')).toHaveLength(1)
    expect(recorded).toContainEqual(expect.objectContaining({ name: 'recovery.acting', after: 'rpcOutage' }))
    expect(recorded.map(nameOf)).not.toContain('action.refused')
  })

  it('during the guard is not a refusal', async () => {
    const { id, tick, spent } = await live()
    node.outage = 'garbage'
    node.only = 'eth_simulateV1'
    const { recovery, mood } = await tick()
    expect(recovery).toMatchObject({ reason: 'rpcOutage' })
    expect(mood.arousal).toBe(0)
    expect((await eventsOf(id)).map(nameOf)).not.toContain('action.refused')
    node.outage = undefined
    await tick()
    expect(await spent()).toBe(50)
  })

  it('with a transaction in flight loses nothing and repeats nothing', async () => {
    const { id, tick, spent } = await live()
    await tick()
    node.outage = 'silent'
    node.only = 'eth_sendRawTransaction'
    const { pending } = await tick()
    expect(pending?.intentId).toBe(`${id}:tick:2:act`)
    await tick()
    expect(await spent()).toBe(50)
    node.outage = undefined
    expect((await tick()).pending).toBeUndefined()
    expect(await spent()).toBe(100)
    const landed = (await eventsOf(id)).filter((event) => nameOf(event) === 'action.landed')
    expect(landed).toHaveLength(2)
  })

  it('does not block the kill switch: the death continues when the node is back', async () => {
    const { id, golem, parts } = await live()
    node.outage = 'broken'
    expect(await golem.kill()).toMatchObject({ type: 'dying', phase: 'acceptance' })
    expect(await statusOf(id)).toBe('dying')
    expect(await golem.tick()).toMatchObject({ type: 'dying', phase: 'acceptance' })
    node.outage = undefined
    const another = await createGolem(parts)
    const death = { trigger: 'killSwitch', impossible: [] }
    expect(await another.tick()).toMatchObject({ type: 'dying', phase: 'over', death })
    expect(await statusOf(id)).toBe('dead')
  })

  it('during a death does not end it', async () => {
    const { golem, id } = await live()
    node.outage = 'error'
    node.only = 'eth_estimateGas'
    expect(await golem.kill()).toMatchObject({ type: 'dying', phase: 'acceptance' })
    node.outage = undefined
    expect(await golem.tick()).toMatchObject({ type: 'dying', phase: 'over', death: { impossible: [] } })
    expect((await eventsOf(id)).map(nameOf)).toContain('PERMISSION_REVOKED')
  })
})

describe('a paused manager', () => {
  const abi = parseAbi(['function owner() view returns (address)', 'function pause()', 'function unpause()'])

  async function asOwner(functionName: 'pause' | 'unpause') {
    const { client, framework } = world
    const address = framework.DelegationManager
    const account = await client.readContract({ address, abi, functionName: 'owner' })
    await client.impersonateAccount({ address: account })
    await client.setBalance({ address: account, value: parseEther('1') })
    const hash = await client.writeContract({ account, address, abi, functionName })
    await client.waitForTransactionReceipt({ hash })
  }

  it('stops actions but not ticks, and loses nothing', async () => {
    const { id, tick, spent } = await live()
    await asOwner('pause')
    await world.warp(50_000)
    const { recovery } = await tick()
    expect(recovery).toMatchObject({ type: 'observing', reason: 'managerPaused', attempts: 1 })
    expect((await tick()).recovery).toMatchObject({ attempts: 2 })
    expect(await spent()).toBe(0)
    const recorded = await eventsOf(id)
    expect(recorded).toContainEqual({ name: 'action.waited', because: observeReasons.managerPaused })
    // Half of the grace period is over: the row is published all the same.
    expect(recorded.map(nameOf)).toContain('vitals.published')
    await asOwner('unpause')
    expect((await tick()).recovery).toEqual({ type: 'acting' })
    expect(await spent()).toBe(50)
  })
})

describe('a key', () => {
  const { abi } = golemVitals

  it('that is lost is requested, once', async () => {
    const { id, tick, parts, spent } = await live()
    await parts.keys.wipe()
    expect((await tick()).recovery).toMatchObject({ reason: 'keyLost', attempts: 1 })
    expect((await tick()).recovery).toMatchObject({ reason: 'keyLost', attempts: 2 })
    expect(await spent()).toBe(0)
    expect(await store.ownerRequests.pending(id)).toMatchObject([{ kind: 'grant', body: { reason: 'lost' } }])
    const filed = (await eventsOf(id)).filter((event) => nameOf(event) === 'owner.requestFiled')
    expect(filed).toHaveLength(1)
  })

  it('that is not the writer of the row is refused, until the owner sets it again', async () => {
    const { id, tick, owner, root, spent } = await live()
    const name = async (writer: Address) => {
      const address = world.addresses.golemVitals
      const nonce = await world.client.readContract({ address, abi, functionName: 'nonces', args: [id] })
      const deadline = (await world.client.getBlock()).timestamp + 3_600n
      const signature = await owner.signTypedData({
        domain: { name: 'GolemVitals', version: '1', chainId: world.chainId, verifyingContract: address },
        types: {
          ResetWriter: [
            { name: 'golem', type: 'bytes32' },
            { name: 'writer', type: 'address' },
            { name: 'nonce', type: 'uint256' },
            { name: 'deadline', type: 'uint256' },
          ],
        },
        primaryType: 'ResetWriter',
        message: { golem: id, writer, nonce, deadline },
      })
      const hash = await world.client.writeContract({
        account: devnetAccount('operator'),
        address,
        abi,
        functionName: 'resetWriter',
        args: [owner.address, root.delegate, zeroHash, writer, nonce, deadline, signature],
      })
      await world.client.waitForTransactionReceipt({ hash })
    }
    await name(world.accounts.stranger)
    expect((await tick()).recovery).toMatchObject({ reason: 'keyRefused', attempts: 1 })
    expect(await spent()).toBe(0)
    expect(await store.ownerRequests.pending(id)).toMatchObject([{ kind: 'redelegate' }])
    await name(root.delegate)
    expect((await tick()).recovery).toEqual({ type: 'acting' })
    expect(await spent()).toBe(50)
  })

  it('without gas is requested once, and the pending action waits', async () => {
    const { id, tick, root, spent, owner, signer, parts } = await live()
    await world.client.setBalance({ address: root.delegate, value: 0n })
    const { recovery, pending } = await tick()
    expect(recovery).toMatchObject({ reason: 'gasGone', attempts: 1 })
    expect(pending?.intentId).toBe(`${id}:tick:1:act`)
    expect((await tick()).recovery).toMatchObject({ reason: 'gasGone', attempts: 2 })
    expect(await spent()).toBe(0)
    const requests = await store.ownerRequests.pending(id)
    const price = await readGasPrice(world.client)
    expect(requests.map(readOwnerAsk)).toMatchObject([
      { type: 'fund', to: root.delegate, amount: price * 50_000_000n },
    ])
    const responder = createOwnerResponder({ ...signer, store, book: parts.book, owner })
    for (const request of requests) {
      const answer = await responder.answer(request)
      if (answer) await answerRequest(parts, request.id, owner.address, answer)
    }
    expect(await tick()).toMatchObject({ recovery: { type: 'acting' }, pending: undefined })
    expect(await spent()).toBe(50)
  })

  it('that is empty again before the owner answered files no second request', async () => {
    const { id, tick, root } = await live()
    const empty = () => world.client.setBalance({ address: root.delegate, value: 0n })
    await empty()
    await tick()
    await world.fund(root.delegate, { ETH: parseEther('1') })
    expect(await tick()).toMatchObject({ recovery: { type: 'acting' } })
    await empty()
    expect((await tick()).recovery).toMatchObject({ reason: 'gasGone', attempts: 1 })
    expect(await store.ownerRequests.pending(id)).toHaveLength(1)
  })

  it('whose source does not answer is retried, while the Golem still reads the chain', async () => {
    const { id, clock, parts } = await live()
    let isOut = true
    const keys: GolemParts['keys'] = {
      ...parts.keys,
      open: () => (isOut ? Promise.reject(new Error('connect ECONNREFUSED')) : parts.keys.open()),
    }
    const golem = await createGolem({ ...parts, keys, clock })
    const { recovery, prices } = await ticked(golem)
    expect(recovery).toMatchObject({ type: 'observing', reason: 'signerOutage' })
    expect(prices.length).toBeGreaterThan(0)
    isOut = false
    expect((await ticked(golem)).recovery).toEqual({ type: 'acting' })
    expect((await eventsOf(id)).map(nameOf)).toContain('action.landed')
  })
})

function nameOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'name' in body ? body.name : undefined
}
