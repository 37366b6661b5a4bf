import { compileStrategy } from '@bardo/core'
import { erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClockWorld, openClockWorld } from '../../testing/openClockWorld.ts'
import { defaultGolem } from './defaultGolem.ts'

describe('the Golem of bardo up', { timeout: 120_000 }, () => {
  let here: ClockWorld
  let golem: `0x${string}`
  /** The gas that its key started with. */
  let firstGas: bigint
  beforeAll(async () => {
    here = await openClockWorld()
    ;({ golem } = await here.office.ask('summon', {
      name: defaultGolem.name,
      strategy: defaultGolem.strategy,
      heartbeat: defaultGolem.heartbeat,
    }))
    firstGas = await gasOf()
  }, 120_000)
  afterAll(() => here?.[Symbol.asyncDispose]())

  const trades = async () => {
    const events = await here.context.store.events.read({ after: 0, golem, limit: 10_000 })
    return events.filter(({ name }) => name === 'action.landed').length
  }
  const tick = async () => (await here.context.open(golem)).tick()
  const status = () => here.office.ask('status', { golem })
  const gasOf = async () => BigInt((await status()).sessionKeys[0]?.gasWei ?? 0)

  it('has a daily limit of at least twice a trade every minute', () => {
    const { plan } = compileStrategy(defaultGolem.strategy, { now: 1_800_000_000n })
    const size = plan.sizeCents[0] ?? 0n
    expect(plan.cadenceSeconds).toBe(60)
    // The daily limit looks back over up to 28 hours.
    expect(size * 60n * 28n * 2n).toBeLessThanOrEqual(plan.dayCents)
  })

  it('trades every minute while nothing else happens on the chain', async () => {
    await tick()
    expect(await trades()).toBe(1)
    for (const more of [2, 3, 4]) {
      await here.pass(61)
      await tick()
      expect(await trades()).toBe(more)
    }
  })

  it('continues after five minutes of sleep', async () => {
    const before = await trades()
    await here.pass(300)
    expect(await tick()).toMatchObject({ type: 'ticked' })
    expect(await trades()).toBe(before + 1)
  })

  it('has gas and money for a day', async () => {
    await here.pass(61)
    const before = await gasOf()
    await tick()
    const cost = before - (await gasOf())
    expect(cost).toBeGreaterThan(0n)
    expect(cost * 1_440n).toBeLessThan(firstGas)
    const { account } = await status()
    const { usdc } = here.world.addresses
    const balance = await here.world.client.readContract({
      address: usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account as `0x${string}`],
    })
    expect(balance).toBeGreaterThan(2_000_000n * 1_440n)
  })

  it('reports what it waits for and until when', async () => {
    const { waits } = await status()
    expect(waits).toMatchObject({
      reason: 'rhythm',
      text: expect.stringMatching(/^waits until \d\d:\d\d:\d\d \(rhythm: once a minute\)$/),
    })
    const explain = () => here.office.ask('explain', { golem, subject: 'swap 2 USDC to WETH' })
    expect(await explain()).toMatchObject({ verdict: 'refused', waits: { until: waits?.until } })
    const left = Date.parse(waits?.until ?? '') - here.clock.now()
    await here.pass(Math.ceil(left / 1_000))
    expect(await explain()).toMatchObject({ waits: null, verdict: expect.stringMatching(/^pass/) })
    expect((await status()).waits).toBeNull()
  })

  it('is found by the short id that status shows, and not by another prefix', async () => {
    const start = golem.slice(0, 10)
    for (const named of [start, `${start}…`, start.toUpperCase().replace('0X', '0x'), golem.slice(0, 40)])
      expect(await here.office.ask('status', { golem: named })).toMatchObject({ golem })
    const other = `${golem.slice(0, 9)}${golem[9] === '0' ? '1' : '0'}`
    for (const named of [other, '0x', golem.slice(0, 5)])
      await expect(here.office.ask('status', { golem: named })).rejects.toMatchObject({
        code: 'GOLEM_UNKNOWN',
      })
  })

  it('reports all times of its status in ISO form', async () => {
    const { nextTick, endsAt, beganAt, times } = await status()
    expect(times).toEqual({
      nextTick: nextTick === null ? null : new Date(nextTick).toISOString(),
      began: new Date(beganAt * 1_000).toISOString(),
      ends: new Date(endsAt * 1_000).toISOString(),
    })
  })
})
