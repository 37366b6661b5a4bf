import { addLiquidityCalls, explainRedemption, refusedRedemption, removeLiquidityCall } from '@bardo/chain'
import { type Call, deploymentOn, encodeExecution } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import type { Address } from 'viem'
import { erc20Abi, maxUint256, parseUnits, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
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
/** Seventy-two dollars a day of an allotment of a hundred: enough for a fifth of the seven days that a Golem needs. */
const declining = { runwayCents: 10_000n, dayPrices: { compute: 7_000n, data: 200n } }

const thief = `0x${'7'.repeat(40)}` as const

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

  it('moves its range after the price, closes at the signed price, and does not open again', async () => {
    const { parts, golem, id, position } = await summonProvider()
    const start = await world.price('WETH/USDC')
    try {
      await priceAt(3_600n)
      await golem.tick()
      await golem.tick()
      await golem.tick()
      const { permission } = await golem.status()
      const [moved] = await heldPositions(parts, permission)
      if (moved?.type !== 'liquidity') throw new Error('no position')
      expect(moved.tokenId).not.toBe(position.tokenId)
      expect(moved.seen?.inRange).toBe(true)
      await priceAt(1_900n)
      await golem.tick()
      expect(await heldPositions(parts, permission)).toEqual([])
      await golem.tick()
      const [waited] = (await eventsOf(id, 'action.waited')).slice(-1)
      expect(waited).toMatchObject({ because: 'the price is below 200000 cents' })
    } finally {
      await world.movePrice('WETH/USDC', start)
      await world.postPrice('WETH', start * 100n)
    }
  })

  it('is not closed or filled by a request for a position that the Golem did not open', async () => {
    const { golem, position } = await summonProvider()
    const assets = ['USDC', 'WETH'] as const
    const foreign = { assets, tokenId: position.tokenId - 1n, cents: 1_000n, because: 'test' }
    for (const type of ['removeLiquidity', 'collect'] as const)
      await expect(golem.preview({ ...foreign, type })).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    const range = { downBps: 1_000, upBps: 1_000 }
    await expect(golem.preview({ ...foreign, ...range, type: 'addLiquidity' })).rejects.toMatchObject({
      code: 'ACTION_NOT_ALLOWED',
    })
    const own = { ...foreign, tokenId: position.tokenId }
    const { capabilityId } = await golem.preview({ ...own, type: 'removeLiquidity' })
    expect(capabilityId).toMatch(/./)
  })
})

describe('a thief of the session key', () => {
  it.each([
    ['mints to another account', 'RecipientNotAccount', { recipient: thief }],
    ['mints more than the signed size', 'SizeExceeded', { usdc: parseUnits('900', 6) }],
    ['mints into a pool that is not signed', 'PoolNotAllowed', { fee: 3_000 }],
    ['keeps an approval', 'ApprovalLeft', { keeps: true }],
  ] as const)('is refused if it %s', async (_, error, change) => {
    const { permission, account } = await summonProvider()
    await world.fund(account, { WETH: parseUnits('1', 18) })
    expect(await refusalOf(permission, mintCalls(permission, change))).toMatch(new RegExp(error))
  })

  it('is refused if it collects to another account, or removes to it', async () => {
    const { permission, position } = await summonProvider()
    const { nonfungiblePositionManager: to } = world.addresses
    const { tokenId, liquidity } = position
    const deadline = maxUint256
    for (const amount of [0n, liquidity]) {
      const data = removeLiquidityCall({ tokenId, liquidity: amount, account: thief, deadline })
      expect(await refusalOf(permission, [{ to, data }])).toContain('RecipientNotAccount')
    }
  })

  it('is refused if it adds to a position of another owner', async () => {
    const { permission, position } = await summonProvider()
    const added = { type: 'existing', tokenId: position.tokenId - 1n } as const
    const calls = addLiquidityCalls({ ...mintOf(permission), position: added })
    // The first position of the devnet belongs to the one who opened the pool; a later one to another Golem's owner.
    expect(await refusalOf(permission, calls)).toContain('PositionNotOwned')
  })

  it('is refused in a pool whose price was moved, and the Golem does not add there either', async () => {
    const { permission, golem } = await summonProvider()
    const start = await world.price('WETH/USDC')
    try {
      await world.movePrice('WETH/USDC', (start * 105n) / 100n)
      expect(await refusalOf(permission, mintCalls(permission, {}))).toMatch(
        /SpotUnfair|Price slippage check/,
      )
      const calls = addLiquidityCalls({ ...mintOf(permission), minimum: { amount0: 0n, amount1: 0n } })
      expect(await refusalOf(permission, calls)).toContain('SpotUnfair')
      const added = { type: 'addLiquidity', assets: ['USDC', 'WETH'], cents: 1_000n } as const
      const request = { ...added, downBps: 1_000, upBps: 1_000, because: 'test' }
      await expect(golem.preview(request)).rejects.toThrow()
    } finally {
      await world.movePrice('WETH/USDC', start)
    }
  })
})

/** Moves the pool and the price feed. */
async function priceAt(dollars: bigint): Promise<void> {
  await world.movePrice('WETH/USDC', dollars * 1_000_000n)
  await world.postPrice('WETH', dollars * 100_000_000n)
}

type Change = {
  readonly recipient?: Address
  readonly usdc?: bigint
  readonly fee?: number
  readonly keeps?: boolean
}

/** What a thief mints with the account's money. */
function mintOf({ terms }: SignedPermission, { recipient, usdc: amount, fee = 500 }: Change = {}) {
  const { usdc: token0, weth: token1, nonfungiblePositionManager: manager } = world.addresses
  return {
    manager,
    account: recipient ?? terms.mandate.account,
    token0,
    token1,
    desired: { amount0: amount ?? parseUnits('10', 6), amount1: parseUnits('0.003', 18) },
    minimum: { amount0: 0n, amount1: 0n },
    deadline: maxUint256,
    position: { type: 'new', fee, range: { tickLower: 180_000, tickUpper: 216_000 } },
  } as const
}

function mintCalls(permission: SignedPermission, change: Change): readonly Call[] {
  const calls = addLiquidityCalls(mintOf(permission, change))
  return change.keeps ? calls.slice(0, 3) : calls
}

/** What the chain says to calls of the session key, with the name of the error. */
async function refusalOf({ links }: SignedPermission, calls: readonly Call[]): Promise<string> {
  const deployment = deploymentOn(world.chainId)
  const question = { links, execution: encodeExecution(calls), redeemer: links[0].delegate }
  const { client } = partsOf(world, store, zeroHash)
  const explanation = await explainRedemption(client, deployment, question)
  const error = refusedRedemption(explanation, { deployment, step: 0, outcome: 'not-sent' })
  return error ? [error.shortMessage, ...error.details].join(' ') : 'passes'
}
