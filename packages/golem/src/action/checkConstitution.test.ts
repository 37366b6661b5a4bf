import { explainRedemption } from '@bardo/chain'
import { aggregatorProxy } from '@bardo/contracts'
import { encodeExecution } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import { createTickPorts } from '../heartbeat/createTickPorts.ts'
import type { Intention } from '../strategy/strategy.ts'
import { createSubmitterOpener } from '../submission/openSubmitter.ts'
import { adoption, enact, type TestConstitution, underConstitution } from '../testing/constitution.ts'
import { balanceOf, partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { buildAction } from './buildAction.ts'
import { callsOf } from './explainAction.ts'

const text = `Swap USDC into WETH and back, at most $50 each.
Deposit USDC into the vault.

lifespan: 30 days
budget: $500/day`
const because = 'a test'
const buy: Intention = { type: 'swap', from: 'USDC', to: 'WETH', cents: 5_000n, because }
const sell: Intention = { type: 'swap', from: 'WETH', to: 'USDC', cents: 2_000n, because }
const deposit: Intention = { type: 'deposit', asset: 'USDC', cents: 5_000n, because }
const withdraw: Intention = { type: 'withdraw', asset: 'USDC', cents: 5_000n, because }

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

/** A Golem under a constitution that executes the given intention at each tick. */
async function live(constitution: TestConstitution) {
  const hash = await enact(world, constitution)
  const { id, signer, account } = await summonIn(world, store, text, underConstitution(hash))
  await signer.submitter.submit({ ...adoption(world, hash), id: `${id}-adopt` })
  const asked: string[] = []
  const transport = http(world.url, {
    onFetchRequest: async (_, init) => {
      asked.push(`${init.body}`)
    },
  })
  const client = createPublicClient({ chain: world.chain, transport, cacheTime: 0, pollingInterval: 20 })
  let wanted: Intention = buy
  const parts = { ...partsOf(world, store, id, { strategy: async () => wanted }), client }
  const golem = await createGolem(parts)

  async function tick(intention: Intention) {
    wanted = intention
    asked.length = 0
    const after = (await store.events.read({ after: 0, golem: id, limit: 1_000 })).length
    await golem.tick()
    const events = (await store.events.read({ after: 0, golem: id, limit: 1_000 })).slice(after)
    return events.flatMap(({ name, body }) =>
      name === 'action.refused' || name === 'action.landed' ? [{ name, body }] : [],
    )[0]
  }

  const { permission } = await golem.status()
  const { authorize } = createTickPorts(parts, permission, createSubmitterOpener(parts))

  /** The chain's own answer to the same action. */
  async function onChain(intention: Intention) {
    const execution = encodeExecution(callsOf((await buildAction(parts, permission, intention)).action))
    const { links } = permission
    const question = { links, execution, redeemer: links[0].delegate }
    const { redemption } = await explainRedemption(parts.client, parts.deployment, question)
    return redemption.type === 'reverted' ? redemption.revert.text : 'passes'
  }
  return {
    id,
    account,
    tick,
    authorize,
    onChain,
    wasSimulated: () => asked.some((body) => body.includes('simulate')),
  }
}

it.each<[string, TestConstitution, Intention, string, string]>([
  ['an asset that is not approved', { wethBps: undefined }, buy, 'ACTION_NOT_ALLOWED', 'AssetNotApproved'],
  [
    'more in one transaction',
    { perTxCents: 4_999n },
    buy,
    'SPEND_LIMIT_EXCEEDED',
    'TransactionLimitExceeded(5000, 4999)',
  ],
  [
    'a drawdown',
    { maxDrawdownBps: 49 },
    deposit,
    'ACTION_NOT_ALLOWED',
    'DrawdownExceeded(1000000, 995000, 49)',
  ],
])('refuses %s as the chain would, before any simulation', async (_, constitution, request, code, why) => {
  const { tick, onChain, wasSimulated, account, id } = await live(constitution)
  const said = await onChain(request)
  expect(said).toContain(why)
  const money = await balanceOf(world, world.addresses.usdc, account)
  const refusal = await tick(request)
  expect(refusal).toMatchObject({
    name: 'action.refused',
    body: {
      where: 'runtime',
      failure: { code, outcome: 'not-sent', remedy: expect.stringMatching(/.{20}/) },
    },
  })
  expect(JSON.stringify(refusal)).toContain(said)
  expect(wasSimulated()).toBe(false)
  expect(await balanceOf(world, world.addresses.usdc, account)).toBe(money)
  expect(await store.grimoire.list({ golem: id, kind: 'warning' })).toMatchObject([
    { source: 'policy_violation', body: { code, remedy: expect.any(String) } },
  ])
})

it('refuses a concentration at the feed’s price, as the chain does', async () => {
  const { tick, onChain, wasSimulated } = await live({ wethBps: 49 })
  expect(await onChain(buy)).toMatch(/^ConcentrationExceeded\(0x\w+, 49\d{6}, 9999\d{6}, 49\)$/)
  // The chain measures the pool's actual output; the check before it uses the price of the price feed.
  expect(JSON.stringify(await tick(buy))).toMatch(/ConcentrationExceeded\(0x\w+, 49999999, 9999999999, 49\)/)
  expect(wasSimulated()).toBe(false)
})

it('counts the spending of session and day, and always allows closing positions', async () => {
  const { tick, onChain, wasSimulated } = await live({
    perTxCents: 9_000n,
    perSessionCents: 9_999n,
    perDayCents: 14_000n,
    maxDrawdownBps: 60,
    wethBps: 60,
  })
  expect(await tick(buy)).toMatchObject({ name: 'action.landed' })
  expect(wasSimulated()).toBe(true)
  const session = await onChain(buy)
  expect(session).toBe('SessionLimitExceeded(10000, 9999)')
  expect(JSON.stringify(await tick(buy))).toContain(session)

  await world.warp(3_601)
  expect(await tick(deposit)).toMatchObject({ name: 'action.landed' })
  await world.warp(3_601)
  const day = await onChain(deposit)
  expect(day).toBe('DayLimitExceeded(15000, 14000)')
  expect(JSON.stringify(await tick(deposit))).toContain(day)

  // The value of its holdings falls: it may not open a position any more, and both ways to close one still
  // pass.
  const feed = { address: world.addresses.wethFeed, abi: aggregatorProxy.abi } as const
  const [, price] = await world.client.readContract({ ...feed, functionName: 'latestRoundData' })
  await world.postPrice('WETH', price / 2n)
  const less = { ...deposit, cents: 2_000n }
  const drawdown = await onChain(less)
  expect(drawdown).toMatch(/^DrawdownExceeded\(.*, 60\)$/)
  expect(JSON.stringify(await tick(less))).toContain(drawdown)
  expect(await tick(withdraw)).toMatchObject({ name: 'action.landed' })
  expect(await tick(sell)).toMatchObject({ name: 'action.landed' })
  await world.postPrice('WETH', price)
})

it('allows a deposit while an uninvolved asset has no price, as the chain does', async () => {
  const { tick, onChain } = await live({})
  expect(await tick(buy)).toMatchObject({ name: 'action.landed' })
  const address = world.addresses.wethFeed
  const bytecode = (await world.client.getCode({ address })) ?? '0x'
  await world.client.setCode({ address, bytecode: '0xfe' })
  expect(await onChain(deposit)).toBe('passes')
  expect(await tick(deposit)).toMatchObject({ name: 'action.landed' })
  await world.client.setCode({ address, bytecode })
})

it('refuses without a simulation if the library alone can decide', async () => {
  const { authorize, wasSimulated } = await live({})
  // The Golem's row has not been written for longer than its grace period: the dead-man's switch narrows its
  // phase.
  await world.warp(2 * 86_400)
  expect(await authorize(buy, 1)).toMatchObject({
    type: 'refused',
    error: {
      code: 'REDEMPTION_REFUSED',
      shortMessage: expect.stringContaining('Cage refuses the redemption: ClassNotAllowedInPhase('),
      details: [expect.stringMatching(/^step 0, link 0 \(0x\w+\), caveat 0: Cage$/)],
      remedy: expect.stringContaining('the owner can reset the phase'),
    },
  })
  expect(wasSimulated()).toBe(false)
})
