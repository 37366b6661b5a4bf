import { activeKey } from '@bardo/wallets'
import { parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callTool } from './callTool.ts'
import { explainActionTool } from './explainActionTool.ts'
import { getDelegationTree } from './getDelegationTree.ts'
import { getStatus } from './getStatus.ts'
import { migrate } from './migrate.ts'
import { previewActionTool } from './previewActionTool.ts'
import { redeemRunway } from './redeemRunway.ts'
import { requestRunway } from './requestRunway.ts'
import { openOwnerWorld } from './testing/ownerWorld.ts'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
beforeAll(async () => {
  here = await openOwnerWorld()
})
afterAll(() => here[Symbol.asyncDispose]())

const strategy = 'Buy WETH with USDC. At most $50 each. At most $300 a day.'
const wish = { type: 'swap', from: 'USDC', to: 'WETH', dollars: '40' } as const

type Summoned = Awaited<ReturnType<typeof here.summon>>
const warnings = ({ id }: Summoned) => here.store.grimoire.list({ golem: id, kind: 'warning' })
const arousal = async ({ id, context }: Summoned) =>
  (await (await context.open(id)).status()).state.mood.arousal
const checks = async ({ context }: Summoned) =>
  (await callTool(context, getStatus, {})).healthChecks.map(({ name }) => name)

it('is shown by status, tree and explain where it is signed, and nowhere else', async () => {
  const [bound, free] = [
    await here.summon(undefined, `${strategy} Never hold more than 30% in WETH.`),
    await here.summon(undefined, strategy),
  ]
  expect(await checks(bound)).toContain('constitution')
  expect(await checks(free)).not.toContain('constitution')
  expect(await callTool(free.context, getDelegationTree, {})).toMatchObject({ constitution: null })
  const tree = await callTool(bound.context, getDelegationTree, {})
  expect(tree.constitution).toMatchObject({ isAdopted: true })
  expect(tree.text).toContain('It buys WETH only up to 30 % of the portfolio (now 0 %).')
  const about = { type: 'wish', wish } as const
  const { text, verdict } = await callTool(bound.context, explainActionTool, { about })
  expect([verdict, text.includes('30 % of the portfolio')]).toEqual(['passes', true])
})

it('refuses a preview, with a warning and a higher arousal', async () => {
  const golem = await here.summon(undefined, `${strategy} At most $30 per session.`)
  await expect(callTool(golem.context, previewActionTool, { wish })).rejects.toMatchObject({
    code: 'SPEND_LIMIT_EXCEEDED',
  })
  expect(await warnings(golem)).toMatchObject([{ source: 'policy_violation' }])
  expect(await arousal(golem)).toBeGreaterThan(0)
  await callTool(golem.context, previewActionTool, { wish: { ...wish, dollars: '30' } })
})

it('limits a draw on the runway too', async () => {
  const golem = await here.summon(undefined, `${strategy} At most $15 per session.`)
  await golem.wallet.upgrade(golem.owner.address)
  await here.world.fund(golem.owner.address, { USDC: parseUnits('500', 6) })
  const context = { ...golem.context, owner: await golem.responder() }
  const ask = { golems: [golem.id], dailyCapUsdc: 20, durationDays: 7 }
  await callTool(context, requestRunway, ask)
  await expect(callTool(context, redeemRunway, {})).rejects.toMatchObject({
    code: 'SPEND_LIMIT_EXCEEDED',
    shortMessage: expect.stringContaining('LimitExceeded(2000, 1500)'),
  })
  expect(await warnings(golem)).toMatchObject([{ source: 'policy_violation' }])
  expect(await arousal(golem)).toBeGreaterThan(0)
})

it('limits what a migration moves', async () => {
  const golem = await here.summon(
    undefined,
    `${strategy} Approved assets: USDC, WETH. At most $5 per session.`,
  )
  const key = (await activeKey(here.store, golem.id))?.address
  if (!key) throw new TypeError('no key')
  await here.world.fund(key, { USDC: parseUnits('7', 6) })
  const destinationWallet = privateKeyToAccount(generatePrivateKey()).address
  const move = { chain: 'devnet', destinationWallet }
  await expect(callTool(golem.context, migrate, move)).rejects.toMatchObject({
    code: 'SPEND_LIMIT_EXCEEDED',
    shortMessage: expect.stringContaining('LimitExceeded(700, 500)'),
  })
  expect(await here.store.ownerRequests.pending(golem.id)).toEqual([])
})

it('binds a Replicant, whose root is its parent’s', async () => {
  const golem = await here.summon(
    undefined,
    `${strategy} Never hold more than 0.2% in WETH. Spawn replicants.\n\nreplicant budget: $50/day`,
  )
  const parent = await golem.context.open(golem.id)
  await parent.tick()
  const child = await parent.replicate({
    name: 'child',
    dailyCents: 5_000n,
    budgetCents: 5_000n,
    runwayCents: 100n,
    lifespanSeconds: 86_400,
    calls: 10,
    gas: parseEther('0.05'),
  })
  const replicant = await golem.context.open(child)
  const { permission } = await replicant.status()
  expect(permission.terms.constitution).toBe((await parent.status()).permission.terms.constitution)
  const buy = { type: 'swap', from: 'USDC', to: 'WETH', cents: 4_000n, because: 'a test' } as const
  await expect(replicant.preview(buy)).rejects.toMatchObject({
    shortMessage: expect.stringContaining('ConcentrationExceeded'),
  })
  const { redemption } = await replicant.explain(buy)
  expect(redemption).toMatchObject({ type: 'reverted', revert: { name: 'ConcentrationExceeded' } })
})

it('makes a strategy by rules buy up to its share and then wait, without a violation', async () => {
  const rules = 'Swap USDC into WETH every 10 seconds, $50 each. Never hold more than 0.8% in WETH.'
  const golem = await here.summon(undefined, `${rules}\n\nbudget: $300/day`)
  const running = await golem.context.open(golem.id)
  for (let times = 0; times < 3; times += 1) {
    await running.tick()
    await here.world.warp(11)
  }
  // $50, then what is left of $80 less the margin for a moving price, then nothing.
  expect((await running.look()).day.spent).toBeGreaterThanOrEqual(7_950n)
  expect((await running.look()).day.spent).toBeLessThanOrEqual(8_000n)
  expect(await warnings(golem)).toEqual([])
})
