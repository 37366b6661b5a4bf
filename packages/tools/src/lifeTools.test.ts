import {
  decodeContext,
  hashDelegation,
  type Phase,
  readGrants,
  requestMethod,
  signRunwayDraw,
} from '@bardo/core'
import { createOwnerWallet } from '@bardo/devnet'
import { writeState } from '@bardo/golem/death'
import { createGolem } from '@bardo/golem/heartbeat'
import type { GolemState } from '@bardo/golem/state'
import { balanceOf } from '@bardo/golem/testing/golemWorld'
import { startNodeProxy } from '@bardo/golem/testing/nodeProxy'
import { permissionKey } from '@bardo/store'
import { createPublicClient, http, numberToHex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { callTool } from './callTool.ts'
import { getStatus } from './getStatus.ts'
import { previewActionTool } from './previewActionTool.ts'
import { redeemRunway } from './redeemRunway.ts'
import { revokePermissions } from './revokePermissions.ts'
import { revokeSessionKey } from './revokeSessionKey.ts'
import { expectRefusals } from './testing/badInputs.ts'
import { openToolWorld, type ToolWorld } from './testing/toolWorld.ts'

const runs = 1_000
const now = () => Math.floor(Date.now() / 1_000)
const runway = z.looseObject({ permissionId: z.string() })
type Summoned = Awaited<ReturnType<ToolWorld['summon']>>

let world: ToolWorld
beforeAll(async () => {
  world = await openToolWorld()
})
afterAll(() => world?.stop())

const namesOf = async ({ id }: Pick<Summoned, 'id'>) =>
  (await world.store.events.read({ after: 0, golem: id, limit: 1_000 })).map(({ name }) => name)

/** Sets the phase in the runtime; the phase on the chain may be earlier. */
async function age({ golem }: Summoned, phase: Phase): Promise<void> {
  const { state } = await golem.status()
  expect(await writeState(world.store, golem.id, { ...state, phase, version: state.version + 1 }, [])).toBe(
    true,
  )
}

/** The owner grants 100 USDC a day to the account, which redelegates it to the Golem's key. */
async function grantRunway({ id, owner, signer, root }: Summoned): Promise<void> {
  const { url, chainId, addresses, framework } = world.world
  await world.world.fund(owner.address, { USDC: parseUnits('1000', 6) })
  const wallet = createOwnerWallet({ url, accounts: [owner], environment: framework })
  await wallet.request({ method: 'eth_requestAccounts' })
  const startTime = Number((await world.world.client.getBlock()).timestamp)
  const data = {
    tokenAddress: addresses.usdc,
    periodAmount: numberToHex(parseUnits('100', 6)),
    periodDuration: 86_400,
    startTime,
  }
  const permission = { type: 'erc20-token-periodic', isAdjustmentAllowed: true, data }
  const permissionRequest = {
    chainId: numberToHex(chainId),
    to: signer.account.address,
    rules: [],
    permission,
  }
  const [granted] = readGrants(await wallet.request({ method: requestMethod, params: [permissionRequest] }))
  const [grant] = granted ? decodeContext(granted.context) : []
  if (!grant) throw new Error('no runway was granted')
  const feed = await signRunwayDraw(signer.account, { grant, delegate: root.delegate })
  const list = (link: typeof grant) => ({ ...link, caveats: [...link.caveats] })
  const body = {
    permissionId: hashDelegation(grant),
    token: addresses.usdc,
    startsAt: startTime,
    grant: list(grant),
    feed: list(feed),
  }
  await world.store.grimoire.put({ golem: id, key: permissionKey(id), kind: 'permission', body })
}

describe('wallet_get_status', () => {
  it('shows the full status, and lists the Golems if none is named', async () => {
    const summoned = await world.summon()
    const { context, id, account, root } = summoned
    const status = await callTool(context, getStatus, {})
    expect(status).toMatchObject({
      golem: id,
      account,
      custody: 'delegation',
      chainId: world.world.chainId,
      status: 'alive',
      phase: 'thriving',
      tick: 1,
      day: { spentCents: '0', limitCents: '5000' },
      sessionKeys: [{ address: root.delegate, status: 'active' }],
      ownerRequests: [],
      operations: [],
    })
    expect(status.balances).toContainEqual({ symbol: 'USDC', cents: '1000000', vaultCents: '0' })
    expect(status.healthChecks.filter(({ ok }) => !ok)).toEqual([])
    expect(getStatus.say(status)).toContain('USDC: $10,000.00')

    await world.summon()
    await expect(callTool({ ...context, golem: undefined }, getStatus, {})).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: expect.arrayContaining([expect.stringContaining(id)]),
    })
    await expectRefusals(context, getStatus, { valid: {}, runs })
  })

  it('returns the stored data while the node does not answer, and reports it', async () => {
    const { id, context, root } = await world.summon()
    const proxy = await startNodeProxy(world.world.url)
    try {
      const proxyClient = createPublicClient({
        chain: world.world.chain,
        transport: http(proxy.url, { retryCount: 0 }),
      })
      const open = (golem: typeof id) => createGolem({ ...world.partsFor(golem), client: proxyClient })
      const there = { ...context, client: proxyClient, open }
      expect((await callTool(there, getStatus, { chain: 'devnet' })).stale).toBeNull()
      for (const outage of ['broken', 'error', 'noise', 'garbage'] as const) {
        proxy.outage = outage
        const status = await callTool(there, getStatus, {})
        expect(status).toMatchObject({
          golem: id,
          status: 'alive',
          phase: 'thriving',
          tick: 1,
          stale: expect.stringContaining('cannot be reached'),
          activePolicy: expect.stringContaining('defi-trading'),
          balances: [],
          day: null,
          sessionKeys: [{ address: root.delegate, status: 'active', gasWei: null }],
        })
        expect(status.healthChecks).toContainEqual({
          name: 'chain',
          ok: false,
          note: 'cannot be reached',
        })
        expect(getStatus.say(status)).toContain('last read at')
      }
    } finally {
      await proxy.stop()
    }
    await expect(callTool(context, getStatus, { chain: 'base' })).rejects.toMatchObject({
      code: 'UNSUPPORTED_CHAIN',
    })
  })
})

describe('metamask_redeem_runway', () => {
  it('draws the phase’s share once, and returns the expected and the received amount', async () => {
    const summoned = await world.summon()
    const { context, account } = summoned
    await expect(callTool(context, redeemRunway, {})).rejects.toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
    await grantRunway(summoned)
    const usdc = () => balanceOf(world.world, world.world.addresses.usdc, account)
    const before = await usdc()

    await age(summoned, 'declining')
    const tenth = { redeemed: '10', remaining: '0', symbol: 'USDC', phase: 'declining' }
    const call = { idempotencyKey: 'draw-1' }
    const first = await callTool(context, redeemRunway, call)
    expect(first).toMatchObject({
      ...tenth,
      expectedOutcome: '10000000',
      actualOutcome: '10000000',
      groundTruthSource: 'erc7715_verifier',
    })
    expect(await callTool(context, redeemRunway, call)).toEqual(first)
    await expect(callTool(context, redeemRunway, {})).rejects.toMatchObject({ code: 'SPEND_LIMIT_EXCEEDED' })
    expect((await usdc()) - before).toBe(parseUnits('10', 6))

    // Two concurrent calls draw the rest of the half once.
    await age(summoned, 'conservation')
    const both = await Promise.allSettled([1, 2].map(() => callTool(context, redeemRunway, {})))
    expect(both.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect((await usdc()) - before).toBe(parseUnits('50', 6))

    await age(summoned, 'terminal')
    await expect(callTool(context, redeemRunway, {})).rejects.toMatchObject({
      code: 'GOLEM_DYING',
      remedy: expect.stringContaining('metamask_revoke_permissions'),
    })
    await expect(summoned.golem.draw('late')).rejects.toMatchObject({ code: 'GOLEM_DYING' })
    expect((await usdc()) - before).toBe(parseUnits('50', 6))

    await age(summoned, 'thriving')
    await expectRefusals(context, redeemRunway, { valid: {}, runs })
    await callTool(context, redeemRunway, {})
    expect((await usdc()) - before).toBe(parseUnits('100', 6))
  })
})

describe('metamask_revoke_permissions', () => {
  it('ends a Golem for one of four reasons, and asks the owner to disable the delegations', async () => {
    const [one, two] = [await world.summon(), await world.summon()]
    await grantRunway(one)
    const { context } = one
    for (const reason of ['because', 'TERMINAL', 'terminal ', ''])
      await expect(callTool(context, revokePermissions, { reason })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      })
    await expectRefusals(context, revokePermissions, {
      valid: { golems: [one.id], reason: 'terminal' },
      runs,
    })
    // The record must confirm the reason.
    for (const reason of ['terminal', 'policy_violation', 'heartbeat_anomaly'])
      await expect(callTool(context, revokePermissions, { reason })).rejects.toMatchObject({
        code: 'ACTION_NOT_ALLOWED',
        remedy: expect.stringContaining('owner_kill_switch'),
      })
    // An unknown Golem in the list stops the call before any effect.
    const stranger = `0x${'ab'.repeat(32)}`
    await expect(
      callTool(context, revokePermissions, { golems: [one.id, stranger], reason: 'owner_kill_switch' }),
    ).rejects.toMatchObject({ code: 'GOLEM_UNKNOWN' })
    expect((await callTool(context, getStatus, {})).status).toBe('alive')

    const call = { golems: [one.id, two.id, one.id], reason: 'owner_kill_switch' }
    // Tools that were opened for a Golem do not see the Golems of another owner.
    await expect(callTool(context, revokePermissions, call)).rejects.toMatchObject({ code: 'GOLEM_UNKNOWN' })
    const result = await callTool({ ...context, golem: undefined }, revokePermissions, call)
    expect(result).toMatchObject({
      revokedCount: 3,
      sessionAccountInvalidated: true,
      disabledOnChain: false,
      deaths: [
        { golem: one.id, phase: 'over', trigger: 'killSwitch' },
        { golem: two.id, phase: 'over', trigger: 'killSwitch' },
      ],
    })
    // Each owner gets one request for all delegations, the runway included.
    expect(result.ownerRequests).toHaveLength(2)
    const [request] = await world.store.ownerRequests.pending(one.id)
    const { permissionId } = runway.parse(
      (await world.store.grimoire.get(one.id, permissionKey(one.id)))?.body,
    )
    expect(request?.body).toMatchObject({ delegations: [hashDelegation(one.root), permissionId] })
    expect(await namesOf(one)).toContain('PERMISSION_REVOKED')
    expect((await world.store.sessionKeys.list(one.id)).map(({ status }) => status)).toEqual(['wiped'])

    // A second call has no further effect, whatever the reason.
    const nonce = () => world.world.client.getTransactionCount({ address: one.root.delegate })
    const sent = await nonce()
    const again = await callTool(context, revokePermissions, { reason: 'terminal' })
    expect(again).toMatchObject({ sessionAccountInvalidated: true, deaths: [{ trigger: 'killSwitch' }] })
    expect(await nonce()).toBe(sent)
    const status = await callTool(context, getStatus, {})
    expect(status).toMatchObject({ status: 'dead', stage: 'terminal', phase: 'terminal' })
    expect(status.healthChecks).toContainEqual({ name: 'row', ok: false, note: 'the chain says dead' })
  })

  it.each([
    ['terminal', 'economicExhaustion', { phase: 'terminal' }],
    ['terminal', 'economicExhaustion', { survivalScore: 999 }],
    ['policy_violation', 'policyViolation', { chainRefusals: [now(), now() - 1, now() - 80_000] }],
  ] as const)('accepts the reason %s (%s) if the record confirms it', async (reason, trigger, record) => {
    const { context, golem } = await world.summon()
    const { state } = await golem.status()
    const next = { ...state, ...record, version: state.version + 1 }
    expect(await writeState(world.store, golem.id, next, [])).toBe(true)
    expect(await callTool(context, revokePermissions, { reason })).toMatchObject({ deaths: [{ trigger }] })
  })

  it('accepts heartbeat_anomaly only if a watcher reported it and the signed grace period is over', async () => {
    const { context, golem } = await world.summon()
    const { graceSeconds } = (await golem.status()).permission.terms
    const late = { nextTickAt: now() - graceSeconds - 1, intervalSeconds: 300 }
    const observing = { type: 'observing', since: now(), attempts: 1, retryAt: now() } as const
    const write = async (record: Partial<GolemState>) => {
      const { state } = await golem.status()
      const next = { ...state, ...record, version: state.version + 1 }
      expect(await writeState(world.store, golem.id, next, [])).toBe(true)
    }
    const revokeIt = () => callTool(context, revokePermissions, { reason: 'heartbeat_anomaly' })
    await world.world.warp(graceSeconds + 1)
    await write(late)
    await expect(revokeIt()).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    await write({ ...late, nextTickAt: now() - 5_000, recovery: { ...observing, reason: 'missedTicks' } })
    await expect(revokeIt()).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    await write(late)
    expect(await revokeIt()).toMatchObject({ deaths: [{ trigger: 'heartbeatAnomaly' }] })
  })
})

describe('wallet_revoke_session_key', () => {
  it('wipes a key, reports that its delegation is still valid, and the Golem requests a new one', async () => {
    const summoned = await world.summon()
    const { context, golem, root, id } = summoned
    const [key] = await world.store.sessionKeys.list(id)
    if (!key) throw new Error('there is no key')
    const other = await world.summon()
    await expect(
      callTool(other.context, revokeSessionKey, { keyIds: [key.publicKey] }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    for (const unclear of [{}, { reason: 'tidy up' }, { keyIds: [key.publicKey], all: true }, { all: false }])
      await expect(callTool(context, revokeSessionKey, unclear)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      })
    expect(await world.store.sessionKeys.list(id)).toMatchObject([{ status: 'active' }])
    await expectRefusals(context, revokeSessionKey, { valid: { keyIds: [key.publicKey] }, runs })

    const result = await callTool(context, revokeSessionKey, { keyIds: [key.publicKey] })
    expect(result).toMatchObject({
      wiped: [key.publicKey],
      alreadyWiped: [],
      revokedOnChain: false,
      activeKeys: 0,
    })
    expect(await world.store.ownerRequests.find(result.ownerRequests[0] ?? '')).toMatchObject({
      kind: 'revoke',
      body: { delegations: [hashDelegation(root)] },
    })
    expect(BigInt(result.gasLeftWei)).toBeGreaterThan(0n)
    expect(await callTool(context, revokeSessionKey, { all: true })).toMatchObject({
      wiped: [],
      alreadyWiped: [key.publicKey],
      ownerRequests: result.ownerRequests,
    })

    // No action is possible without the key, also in a process that had it open.
    const wish = { type: 'swap', from: 'USDC', to: 'WETH', dollars: 10 }
    await expect(callTool(context, previewActionTool, { wish })).rejects.toMatchObject({
      code: 'STEP_OUT_OF_ORDER',
    })
    expect(await golem.tick()).toMatchObject({ state: { recovery: { reason: 'keyLost' } } })
    const kinds = (await world.store.ownerRequests.pending(id)).map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['grant', 'revoke'])
  })
})
