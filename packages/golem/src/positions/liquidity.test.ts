import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import type { Address } from 'viem'
import { erc20Abi, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import { ruleStrategy } from '../strategy/ruleStrategy.ts'
import { balanceOf, partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { heldPositions } from './heldPositions.ts'

const provides = `Provide liquidity to USDC/WETH 0.05% between −10 % and +10 % of the price, at most $500.
Swap USDC to WETH.
When winding down, sell WETH to USDC.
Move the range when the price leaves it.
Collect fees every week.
Close the position when the price is below $2,000.

settlement: USDC
budget: $2,000/day
lifespan: 30 days
`
/** Three dollars a day: enough for a fifth of the seven days that a Golem needs to be well. */
const declining = { runwayCents: 420n, dayPrices: { compute: 200n, data: 100n } }

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

const usdc = (account: Address) => balanceOf(world, world.addresses.usdc, account)
const weth = (account: Address) => balanceOf(world, world.addresses.weth, account)

async function allowance(token: Address, account: Address): Promise<bigint> {
  const spender = world.addresses.nonfungiblePositionManager
  const args = [account, spender] as const
  return world.client.readContract({ address: token, abi: erc20Abi, functionName: 'allowance', args })
}

async function eventsOf(golem: `0x${string}`, name: string) {
  const events = await store.events.read({ after: 0, golem, limit: 1_000 })
  return events.filter((event) => event.name === name).map(({ body }) => body as Record<string, unknown>)
}

/** A Golem that has opened its position: it buys the missing side, and then provides both. */
async function summonProvider() {
  const summoned = await summonIn(world, store, provides)
  const parts = partsOf(world, store, summoned.id, { strategy: ruleStrategy })
  const golem = await createGolem(parts)
  await golem.tick()
  await golem.tick()
  const { permission } = await golem.status()
  const [position] = await heldPositions(parts, permission)
  if (position?.type !== 'liquidity' || !position.seen)
    throw new Error(
      JSON.stringify([
        await eventsOf(summoned.id, 'action.waited'),
        await eventsOf(summoned.id, 'action.refused'),
        await eventsOf(summoned.id, 'action.postponed'),
        await eventsOf(summoned.id, 'heartbeat.stepFailed'),
      ]),
    )
  return { ...summoned, parts, golem, permission, position, seen: position.seen }
}

describe('liquidity by a strategy', () => {
  it('is opened around the price at its size, with the missing side bought, and approvals gone', async () => {
    const { account, position, seen, golem, id } = await summonProvider()
    const summaries = (await eventsOf(id, 'action.intended')).map(({ summary }) => summary)
    expect(summaries).toEqual(['swap USDC to WETH', 'add liquidity to USDC/WETH'])
    expect(position).toMatchObject({ managed: 'now', seen: { owner: expect.anything(), inRange: true } })
    expect(Number(position.cents)).toBeGreaterThan(48_000)
    expect(Number(position.cents)).toBeLessThanOrEqual(50_000)
    // A tenth of the price below and above, in ticks of 0.01 %.
    expect(seen.tickUpper - seen.tickLower).toBeGreaterThan(1_900)
    expect(seen.tickUpper - seen.tickLower).toBeLessThan(2_100)
    expect(await allowance(world.addresses.usdc, account)).toBe(0n)
    expect(await allowance(world.addresses.weth, account)).toBe(0n)
    const { day } = await golem.look()
    // Both the swap and all of the added liquidity count.
    expect(Number(day.spent)).toBeGreaterThan(72_000)
    await golem.tick()
    const [waited] = (await eventsOf(id, 'action.waited')).slice(-1)
    expect(waited).toMatchObject({ because: 'the liquidity is provided' })
  })

  it('ends in the settlement asset only when the Golem declines', async () => {
    const { account, parts, id } = await summonProvider()
    const golem = await createGolem({ ...parts, settings: { ...parts.settings, economy: declining } })
    for (let tick = 0; tick < 5; tick += 1) await golem.tick()
    expect((await golem.status()).state.phase).toBe('declining')
    const summaries = (await eventsOf(id, 'action.intended')).map(({ summary }) => summary)
    expect(summaries.slice(2, 4)).toEqual([
      expect.stringMatching(/^remove liquidity-\d+ of USDC\/WETH$/),
      'swap WETH to USDC',
    ])
    expect(await heldPositions(parts, (await golem.status()).permission)).toEqual([])
    // Dust below a dollar stays: an action costs more.
    expect(await weth(account)).toBeLessThan(parseUnits('0.0004', 18))
    expect(await usdc(account)).toBeGreaterThan(parseUnits('9990', 6))
  })
})
