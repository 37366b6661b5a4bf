import { explainRedemption, type OwnerSigner, resetPhase } from '@bardo/chain'
import { aggregatorProxy, golemVitals } from '@bardo/contracts'
import { encodeExecution, phaseNumber } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildAction } from '../action/buildAction.ts'
import { callsOf } from '../action/explainAction.ts'
import { defaultSchedule } from '../config/heartbeatSchedule.ts'
import { createGolem, type LivingGolem } from '../heartbeat/createGolem.ts'
import type { GolemSettings } from '../permission/golemParts.ts'
import type { Intention } from '../strategy/strategy.ts'
import { balanceOf, partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { readSnapshot } from './readSnapshot.ts'

const text = 'Swap USDC into WETH and back, at most $50 each.\n\nlifespan: 30 days\nbudget: $500/day'
const buy: Intention = { type: 'swap', from: 'USDC', to: 'WETH', cents: 5_000n, because: 'a test' }
const { abi } = golemVitals

let world: Devnet
let context: TestWorld
let store: Store
let price: bigint
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
  const feed = { address: world.addresses.wethFeed, abi: aggregatorProxy.abi } as const
  price = (await world.client.readContract({ ...feed, functionName: 'latestRoundData' }))[1]
})
afterEach(() => world.postPrice('WETH', price))
afterAll(() => context?.stop())

async function live(settings: Partial<GolemSettings> = {}) {
  const summoned = await summonIn(world, store, text)
  const waiting = { strategy: async () => ({ type: 'wait', because: 'nothing to do' }) as const }
  const open = (change: Partial<GolemSettings>) =>
    createGolem(partsOf(world, store, summoned.id, { ...waiting, ...change }))
  return { ...summoned, open, golem: await open(settings), parts: partsOf(world, store, summoned.id) }
}

async function ticked(golem: LivingGolem) {
  const result = await golem.tick()
  if (result.type !== 'ticked') throw new Error(result.type)
  return result.state
}
const eventsOf = (golem: Hash) => store.events.read({ after: 0, golem, limit: 1_000 })
const perMille = (value: bigint, parts: number) => (value * BigInt(parts)) / 1_000n

it('ticks faster when prices move, and slows down after an hour', async () => {
  const { golem } = await live()
  expect((await ticked(golem)).intervalSeconds).toBe(300)
  await world.postPrice('WETH', perMille(price, 975))
  expect((await ticked(golem)).intervalSeconds).toBe(120)
  await world.postPrice('WETH', perMille(price, 900))
  expect((await ticked(golem)).intervalSeconds).toBe(75)
  await world.warp(3_700)
  const { intervalSeconds, prices } = await ticked(golem)
  expect(intervalSeconds).toBe(300)
  expect(prices.map(({ symbol }) => symbol)).toEqual(['USDC', 'WETH'])
})

describe('wins and losses', () => {
  it('change the mood according to the receipt, and are published', async () => {
    const { golem, id, parts } = await live({ strategy: async () => buy })
    // Compared with the price feed, the pool sells too cheaply: the Golem receives more value than it pays.
    await world.postPrice('WETH', perMille(price, 1_020))
    const { mood: won } = await ticked(golem)
    expect((await eventsOf(id)).map(({ name }) => name)).toContain('action.landed')
    expect(won.pleasure).toBeCloseTo(20, 0)
    expect(won.dominance).toBeCloseTo(15, 0)

    // Now the pool asks too much, within the signed slippage.
    await world.postPrice('WETH', perMille(price, 993))
    const { mood: lost } = await ticked(golem)
    expect(lost.pleasure).toBeLessThan(won.pleasure - 10)
    expect(lost.arousal).toBeGreaterThan(won.arousal + 8)

    const { vitals } = await readSnapshot(parts, (await golem.status()).permission)
    expect(vitals.mood).toEqual({ pleasure: 20, arousal: 5, dominance: 15 })
    expect((await eventsOf(id)).map(({ name }) => name)).toContain('mood.published')
  })

  it('of a fair trade are close to zero', async () => {
    const { golem } = await live({ strategy: async () => buy })
    const { mood } = await ticked(golem)
    expect(Math.abs(mood.pleasure)).toBeLessThan(2)
  })
})

describe('the owner’s signed reset', () => {
  const low = { runwayCents: 2_000n, dayPrices: { compute: 1_000n, data: 0n } }

  async function reset(signer: OwnerSigner, firstKey: `0x${string}`, phase: number, seconds = 3_600n) {
    const deadline = (await world.client.getBlock()).timestamp + seconds
    return resetPhase(signer, { firstKey, phase, deadline })
  }

  it('raises the phase if the Golem has funds', async () => {
    const { id, open, signer, root, parts } = await live()
    const poor = await open({ economy: low })
    const { phase } = await ticked(poor)
    expect(phase).toBe('declining')

    // A larger budget alone does not restore an earlier phase.
    const rich = await open({})
    expect((await ticked(rich)).phase).toBe('declining')
    await reset(signer, root.delegate, phaseNumber('stable'))
    expect(await ticked(rich)).toMatchObject({ phase: 'stable', ownerSignatures: 1 })
    expect((await ticked(rich)).phase).toBe('stable')
    const { vitals } = await readSnapshot(parts, (await rich.status()).permission)
    expect(vitals.phase).toBe(phaseNumber('stable'))
    expect((await eventsOf(id)).map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ name: 'vitals.phaseChanged', from: 'declining', to: 'stable' }),
    )
  })

  it('does not raise the phase without funds', async () => {
    const { open, signer, root } = await live()
    const poor = await open({ economy: low })
    await ticked(poor)
    await reset(signer, root.delegate, phaseNumber('thriving'))
    expect((await ticked(poor)).phase).toBe('declining')
  })

  it('is neither signed nor sent if the phase is not later', async () => {
    const { signer, root } = await live()
    expect(await reset(signer, root.delegate, phaseNumber('thriving'))).toBeUndefined()
  })

  it('is refused after its deadline, and the phase stays', async () => {
    const { open, signer, root, parts } = await live()
    const poor = await open({ economy: low })
    await ticked(poor)
    await expect(reset(signer, root.delegate, 0, -1n)).rejects.toMatchObject({ outcome: 'not-sent' })
    const { vitals } = await readSnapshot(parts, (await poor.status()).permission)
    expect(vitals.phase).toBe(phaseNumber('declining'))
  })
})

describe('a dream', () => {
  const schedule = { ...defaultSchedule, dream: { everySeconds: 3_600, lengthSeconds: 600 } }

  it('is published while it lasts, and blocks actions in the runtime and on the chain', async () => {
    const { golem, id, account, parts } = await live({ schedule, strategy: async () => buy })
    const { permission } = await golem.status()
    const { links } = permission
    const dreams = () =>
      world.client.readContract({
        address: world.addresses.golemVitals,
        abi,
        functionName: 'isDreaming',
        args: [id],
      })
    const usdc = () => balanceOf(world, world.addresses.usdc, account)
    // An attacker with the key asks the chain directly, without the runtime.
    const past = async () => {
      const execution = encodeExecution(callsOf((await buildAction(parts, permission, buy)).action))
      const question = { links, execution, redeemer: links[0].delegate }
      const { redemption } = await explainRedemption(parts.client, parts.deployment, question)
      return redemption.type === 'reverted' ? redemption.revert.name : 'passes'
    }

    const start = await usdc()
    await ticked(golem)
    expect(start - (await usdc())).toBe(50_000_000n)
    expect(await dreams()).toBe(false)
    expect(await past()).toBe('passes')

    await world.warp(3_100)
    expect((await ticked(golem)).dream).toMatchObject({ type: 'asleep', number: 1 })
    expect(await dreams()).toBe(true)
    expect(await past()).toBe('GolemDreaming')
    await ticked(golem)
    expect(start - (await usdc())).toBe(50_000_000n)
    const bodies = (await eventsOf(id)).map(({ body }) => body)
    expect(bodies).toContainEqual(
      expect.objectContaining({ name: 'action.waited', because: 'dream 1: asleep' }),
    )

    await world.warp(700)
    expect((await ticked(golem)).dream).toMatchObject({ type: 'awake', number: 1 })
    expect(await dreams()).toBe(false)
    expect(start - (await usdc())).toBe(100_000_000n)
    const names = (await eventsOf(id)).map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('dream.'))).toEqual(['dream.began', 'dream.ended'])
  })
})
