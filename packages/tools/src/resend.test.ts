import { readWalletPolicy } from '@bardo/golem/action'
import { balanceOf } from '@bardo/golem/testing/golemWorld'
import { permissionKey } from '@bardo/store'
import { activeKey } from '@bardo/wallets'
import { parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { callTool } from './callTool.ts'
import { commitActionTool } from './commitActionTool.ts'
import { configurePolicy } from './configurePolicy.ts'
import { fund } from './fund.ts'
import { migrate } from './migrate.ts'
import { previewActionTool } from './previewActionTool.ts'
import { provisionSessionKey } from './provisionSessionKey.ts'
import { redeemRunway } from './redeemRunway.ts'
import { requestRunway } from './requestRunway.ts'
import { revokePermissions } from './revokePermissions.ts'
import { revokeSessionKey } from './revokeSessionKey.ts'
import { mortalStore } from './testing/mortalStore.ts'
import { openOwnerWorld } from './testing/ownerWorld.ts'
import type { ToolDefinition } from './toolDefinition.ts'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
type Summoned = Awaited<ReturnType<typeof here.summon>>
let golem: Summoned

beforeAll(async () => {
  here = await openOwnerWorld()
  golem = await here.summon()
  await golem.wallet.upgrade(golem.owner.address)
  await here.world.fund(golem.owner.address, { USDC: parseUnits('5000', 6), ETH: parseEther('50') })
})
afterAll(() => here[Symbol.asyncDispose]())

/** Longer than the time after which an unfinished call can be claimed again. */
const claimTimeoutMs = 120_001
let calls = 0

/**
 * Calls a tool in a process that crashes before one of its writes, then twice more with the same key in
 * another process.
 * Returns whether it crashed, and the answer, which must be the same both times.
 */
async function crashAndResend<Input, Output>(
  { contextOn, responder }: Pick<Summoned, 'contextOn' | 'responder'>,
  tool: ToolDefinition<Input, Output>,
  input: Readonly<Record<string, unknown>>,
  crashesBefore: (write: string, count: number) => boolean,
) {
  calls += 1
  const call = { ...input, idempotencyKey: `call-${calls}` }
  const owner = await responder(true)
  const mortal = mortalStore(here.store, crashesBefore)
  const first = await callTool({ ...contextOn(mortal.store), owner }, tool, call).catch(() => undefined)
  if (mortal.isDead()) expect(first).toBeUndefined()
  here.wait(claimTimeoutMs)
  const context = { ...contextOn(here.store), owner }
  const answer = await callTool(context, tool, call)
  if (first) expect(answer).toEqual(first)
  expect(await callTool(context, tool, call)).toEqual(answer)
  return { isDead: mortal.isDead(), answer }
}

/** `npm run test:full` crashes at every write, `npm test` at every third. */
const stride = process.env['BARDO_TEST'] === 'full' ? 1 : 3

/** Crashes at one write after another, until the call completes. Returns the number of writes. */
async function crashEverywhere(at: (n: number) => Promise<boolean>): Promise<number> {
  let n = 1
  while (await at(n)) n += stride
  return n
}

const usdcOf = (address: `0x${string}`) => balanceOf(here.world, here.world.addresses.usdc, address)
const fresh = () => privateKeyToAccount(generatePrivateKey()).address

it('commit_action acts once, wherever the process crashes', async () => {
  const wish = { type: 'deposit', asset: 'USDC', dollars: '1' }
  const writes = await crashEverywhere(async (n) => {
    const { permitId } = await callTool(golem.context, previewActionTool, { wish })
    const before = await usdcOf(golem.account)
    const { isDead } = await crashAndResend(golem, commitActionTool, { permitId }, (_, count) => count === n)
    expect(before - (await usdcOf(golem.account))).toBe(1_000_000n)
    return isDead
  })
  expect(writes).toBeGreaterThan(8)
})

it('metamask_request_runway files one request and metamask_redeem_runway draws once, wherever the process crashes', async () => {
  const input = { golems: [golem.id], dailyCapUsdc: 10, durationDays: 60 }
  const storedRunway = z.looseObject({ context: z.string(), request: z.string() })
  const writes = await crashEverywhere(async (n) => {
    const { isDead, answer } = await crashAndResend(golem, requestRunway, input, (_, count) => count === n)
    const entry = await here.store.grimoire.get(golem.id, permissionKey(golem.id))
    const { context: permissionContext, request } = storedRunway.parse(entry?.body)
    expect(answer).toMatchObject({ status: 'done', requestId: request })
    if (isDead)
      await golem.wallet.request({
        method: 'wallet_revokeExecutionPermission',
        params: { permissionContext },
      })
    return isDead
  })
  expect(writes).toBeGreaterThan(3)

  const draws = await crashEverywhere(async (n) => {
    const before = await usdcOf(golem.account)
    const { isDead, answer } = await crashAndResend(golem, redeemRunway, {}, (_, count) => count === n)
    expect(answer).toMatchObject({ redeemed: '10', expectedOutcome: '10000000', actualOutcome: '10000000' })
    expect((await usdcOf(golem.account)) - before).toBe(10_000_000n)
    await here.world.warp(86_400)
    return isDead
  })
  expect(draws).toBeGreaterThan(8)
})

it('wallet_fund gets one transfer, wherever the process crashes', async () => {
  const input = { token: 'USDC', amount: '5', chain: 'devnet' }
  const writes = await crashEverywhere(async (n) => {
    const before = await usdcOf(golem.account)
    const { isDead, answer } = await crashAndResend(golem, fund, input, (_, count) => count === n)
    expect(answer).toMatchObject({ status: 'done', funded: '5000000' })
    expect((await usdcOf(golem.account)) - before).toBe(5_000_000n)
    return isDead
  })
  expect(writes).toBeGreaterThan(3)
})

it('wallet_configure_policy files one request, wherever the process crashes', async () => {
  const other = await here.summon()
  const writes = await crashEverywhere(async (n) => {
    await callTool(other.context, configurePolicy, { policyTemplate: 'read-only' })
    const input = { policyTemplate: 'vault-participant' }
    const { isDead, answer } = await crashAndResend(other, configurePolicy, input, (_, count) => count === n)
    expect(answer).toMatchObject({ status: 'done', wider: expect.arrayContaining([expect.any(String)]) })
    expect(await readWalletPolicy(here.store, other.id)).toMatchObject({ template: 'vault-participant' })
    return isDead
  })
  expect(writes).toBeGreaterThan(3)
})

it('wallet_provision_session_key creates one key, wherever the process crashes', async () => {
  const permission = {
    contract: here.world.addresses.usdcVault,
    methods: ['withdraw'],
    maxAmount: 5,
    chains: [31_337],
  }
  const keys = async () => (await here.store.sessionKeys.list(golem.id)).length
  const writes = await crashEverywhere(async (n) => {
    const before = await keys()
    const input = { permissions: [permission], expiry: 3_600 }
    const { isDead, answer } = await crashAndResend(
      golem,
      provisionSessionKey,
      input,
      (_, count) => count === n,
    )
    expect(answer.status).toBe('done')
    expect((await keys()) - before).toBe(1)
    return isDead
  })
  expect(writes).toBeGreaterThan(4)
})

const etherOf = (address: `0x${string}`) => here.world.client.getBalance({ address })

it('wallet_migrate moves each asset once, wherever the process crashes', async () => {
  const key = (await activeKey(here.store, golem.id))?.address ?? golem.account
  const writes = await crashEverywhere(async (n) => {
    await here.world.fund(key, { USDC: 1_000_000n, ETH: parseEther('0.5') })
    // The owner responder only permits a destination of the owner.
    const destinationWallet = golem.owner.address
    const [usdcBefore, etherBefore] = [await usdcOf(destinationWallet), await etherOf(destinationWallet)]
    const input = { destinationWallet, chain: 'devnet', gasReserveEth: '1' }
    const { isDead, answer } = await crashAndResend(golem, migrate, input, (_, count) => count === n)
    expect(answer).toMatchObject({ status: 'done', totalMigrated: 2 })
    expect((await usdcOf(destinationWallet)) - usdcBefore).toBe(1_000_000n)
    const ether = answer.plan.find(({ kind }) => kind === 'eth')
    expect((await etherOf(destinationWallet)) - etherBefore).toBe(BigInt(ether?.amount ?? 0))
    return isDead
  })
  expect(writes).toBeGreaterThan(12)
})

it('wallet_revoke_session_key wipes and files one request, wherever the process crashes', async () => {
  const other = await here.summon()
  const [own] = await here.store.sessionKeys.list(other.id)
  const writes = await crashEverywhere(async (n) => {
    const attempt = { ...other, responder: async () => silentOwner }
    const { isDead, answer } = await crashAndResend(
      attempt,
      revokeSessionKey,
      { all: true },
      (_, count) => count === n,
    )
    expect([...answer.wiped, ...answer.alreadyWiped]).toEqual([own?.publicKey])
    expect(await here.store.ownerRequests.pending(other.id)).toHaveLength(1)
    return isDead
  })
  expect(writes).toBeGreaterThan(2)
})

it.each(['events.append', 'journal.addAttempt', 'journal.settle', 'transaction', 'idempotencyKeys.finish'])(
  'metamask_revoke_permissions ends a Golem once, though the process crashes before %s',
  async (write) => {
    const other = await here.summon()
    await (await other.context.open(other.id)).tick()
    const attempt = { ...other, responder: async () => silentOwner }
    const input = { reason: 'owner_kill_switch' }
    const { isDead, answer } = await crashAndResend(
      attempt,
      revokePermissions,
      input,
      (name) => name === write,
    )
    expect(isDead).toBe(true)
    expect(answer).toMatchObject({ sessionAccountInvalidated: true, deaths: [{ trigger: 'killSwitch' }] })
    const names = (await here.store.events.read({ after: 0, golem: other.id, limit: 1_000 })).map(
      ({ name }) => name,
    )
    for (const once of ['DeathProtocolStarted', 'PERMISSION_REVOKED', 'DeathCompleted'])
      expect(names.filter((name) => name === once)).toHaveLength(1)
    expect(await here.store.ownerRequests.pending(other.id)).toHaveLength(1)
  },
)

/** An owner responder that never answers. */
const silentOwner = { address: fresh(), answer: async () => undefined }
