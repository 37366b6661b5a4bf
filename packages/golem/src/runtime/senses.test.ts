import { encodeExecution, explainRedemption } from '@bardo/chain'
import { aggregatorProxy, golemVitals } from '@bardo/contracts'
import { phaseNumber } from '@bardo/core'
import { type Devnet, devnetAccount } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { type Hash, type LocalAccount, zeroHash } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { defaultSchedule } from '../heartbeatFile/heartbeatSchedule.ts'
import type { Intention } from '../strategies/strategy.ts'
import { buildAction } from './buildAction.ts'
import { createGolem, type LivingGolem } from './createGolem.ts'
import { callsOf } from './evaluateAction.ts'
import type { GolemSettings } from './golemParts.ts'
import { readWorld } from './readWorld.ts'
import { balanceOf, partsOf, summonIn } from './testing/golemWorld.ts'
import { openPlace, type Place } from './testing/openPlace.ts'

const text = 'Swap USDC into WETH and back, at most $50 each.\n\nlifespan: 30 days\nbudget: $500/day'
const buy: Intention = { is: 'swap', from: 'USDC', to: 'WETH', cents: 5_000n, because: 'a test' }
const { abi } = golemVitals

let world: Devnet
let place: Place
let store: Store
let price: bigint
beforeAll(async () => {
  place = await openPlace()
  ;({ world, store } = place)
  const feed = { address: world.addresses.wethFeed, abi: aggregatorProxy.abi } as const
  price = (await world.client.readContract({ ...feed, functionName: 'latestRoundData' }))[1]
})
afterEach(() => world.postPrice('WETH', price))
afterAll(() => place?.stop())

async function live(settings: Partial<GolemSettings> = {}) {
  const summoned = await summonIn(world, store, text)
  const waiting = { strategy: async () => ({ is: 'wait', because: 'nothing to do' }) as const }
  const open = (change: Partial<GolemSettings>) =>
    createGolem(partsOf(world, store, summoned.id, { ...waiting, ...change }))
  return { ...summoned, open, golem: await open(settings), parts: partsOf(world, store, summoned.id) }
}

async function ticked(golem: LivingGolem) {
  const result = await golem.tick()
  if (result.is !== 'ticked') throw new Error(result.is)
  return result.state
}
const eventsOf = (golem: Hash) => store.events.read({ after: 0, golem, limit: 1_000 })
const perMille = (value: bigint, parts: number) => (value * BigInt(parts)) / 1_000n

it('beats faster when the feeds move, and calms down after an hour', async () => {
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
  it('move the mood by what the receipt says, and the chain is told', async () => {
    const { golem, id, parts } = await live({ strategy: async () => buy })
    // By the feed the pool asks too little: what came in is worth more than what went.
    await world.postPrice('WETH', perMille(price, 1_020))
    const { mood: won } = await ticked(golem)
    expect((await eventsOf(id)).map(({ name }) => name)).toContain('action.landed')
    expect(won.pleasure).toBeCloseTo(20, 0)
    expect(won.dominance).toBeCloseTo(15, 0)

    // And now too much, within the signed slippage.
    await world.postPrice('WETH', perMille(price, 993))
    const { mood: lost } = await ticked(golem)
    expect(lost.pleasure).toBeLessThan(won.pleasure - 10)
    expect(lost.arousal).toBeGreaterThan(won.arousal + 8)

    const { vitals } = await readWorld(parts, (await golem.status()).charter)
    expect(vitals.mood).toEqual({ pleasure: 20, arousal: 5, dominance: 15 })
    expect((await eventsOf(id)).map(({ name }) => name)).toContain('mood.published')
  })

  it('of a fair trade are next to nothing', async () => {
    const { golem } = await live({ strategy: async () => buy })
    const { mood } = await ticked(golem)
    expect(Math.abs(mood.pleasure)).toBeLessThan(2)
  })
})

describe('the owner’s signed reset', () => {
  const low = { runwayCents: 2_000n, dailyCosts: { inference: 1_000n, gas: 0n, compute: 0n, data: 0n } }

  /** Anybody may hand the owner's signature in. */
  async function reset(golem: Hash, owner: LocalAccount, firstKey: `0x${string}`, phase: number) {
    const address = world.addresses.golemVitals
    const nonce = await world.client.readContract({ address, abi, functionName: 'nonces', args: [golem] })
    const deadline = (await world.client.getBlock()).timestamp + 3_600n
    const signature = await owner.signTypedData({
      domain: { name: 'GolemVitals', version: '1', chainId: world.chainId, verifyingContract: address },
      types: {
        ResetPhase: [
          { name: 'golem', type: 'bytes32' },
          { name: 'phase', type: 'uint8' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'ResetPhase',
      message: { golem, phase, nonce, deadline },
    })
    const hash = await world.client.writeContract({
      account: devnetAccount('operator'),
      address,
      abi,
      functionName: 'resetPhase',
      args: [owner.address, firstKey, zeroHash, phase, nonce, deadline, signature],
    })
    await world.client.waitForTransactionReceipt({ hash })
  }

  it('brings it back up, once it has something to live on', async () => {
    const { id, open, owner, root, parts } = await live()
    const poor = await open({ economy: low })
    const { phase } = await ticked(poor)
    expect(phase).toBe('declining')

    // Food alone does not bring a phase back.
    const rich = await open({})
    expect((await ticked(rich)).phase).toBe('declining')
    await reset(id, owner, root.delegate, phaseNumber('stable'))
    expect(await ticked(rich)).toMatchObject({ phase: 'stable', ownerSignatures: 1 })
    expect((await ticked(rich)).phase).toBe('stable')
    const { vitals } = await readWorld(parts, (await rich.status()).charter)
    expect(vitals.phase).toBe(phaseNumber('stable'))
    expect((await eventsOf(id)).map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ name: 'vitals.phaseChanged', from: 'declining', to: 'stable' }),
    )
  })

  it('does not help who has nothing to live on', async () => {
    const { id, open, owner, root } = await live()
    const poor = await open({ economy: low })
    await ticked(poor)
    await reset(id, owner, root.delegate, phaseNumber('thriving'))
    expect((await ticked(poor)).phase).toBe('declining')
  })
})

describe('a dream', () => {
  const schedule = { ...defaultSchedule, dream: { everySeconds: 3_600, lengthSeconds: 600 } }

  it('is shown by the oracle while it lasts, and nothing is done in it: not here, and not on the chain', async () => {
    const { golem, id, account, parts } = await live({ schedule, strategy: async () => buy })
    const { charter } = await golem.status()
    const { links } = charter
    const dreams = () =>
      world.client.readContract({
        address: world.addresses.golemVitals,
        abi,
        functionName: 'isDreaming',
        args: [id],
      })
    const usdc = () => balanceOf(world, world.addresses.usdc, account)
    // Whoever has the key asks the chain past the runtime.
    const past = async () => {
      const execution = encodeExecution(callsOf(await buildAction(parts, charter, buy)))
      const question = { links, execution, redeemer: links[0].delegate }
      const { redemption } = await explainRedemption(parts.client, parts.deployment, question)
      return redemption.is === 'reverted' ? redemption.revert.name : 'passes'
    }

    const start = await usdc()
    await ticked(golem)
    expect(start - (await usdc())).toBe(50_000_000n)
    expect(await dreams()).toBe(false)
    expect(await past()).toBe('passes')

    await world.warp(3_100)
    expect((await ticked(golem)).dream).toMatchObject({ is: 'asleep', number: 1 })
    expect(await dreams()).toBe(true)
    expect(await past()).toBe('GolemDreaming')
    await ticked(golem)
    expect(start - (await usdc())).toBe(50_000_000n)
    const told = (await eventsOf(id)).map(({ body }) => body)
    expect(told).toContainEqual(
      expect.objectContaining({ name: 'action.waited', because: 'dream 1: asleep' }),
    )

    await world.warp(700)
    expect((await ticked(golem)).dream).toMatchObject({ is: 'awake', number: 1 })
    expect(await dreams()).toBe(false)
    expect(start - (await usdc())).toBe(100_000_000n)
    const names = (await eventsOf(id)).map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('dream.'))).toEqual(['dream.began', 'dream.ended'])
  })
})
