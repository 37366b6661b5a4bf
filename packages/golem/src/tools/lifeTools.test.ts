import { signFeed } from '@bardo/chain'
import { decodeContext, hashDelegation, type Phase, readGrants, requestMethod } from '@bardo/core'
import { createOwnerWallet } from '@bardo/devnet'
import { permissionKey } from '@bardo/store'
import { createPublicClient, http, numberToHex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createGolem } from '../runtime/createGolem.ts'
import { balanceOf } from '../runtime/testing/golemWorld.ts'
import { startNodeProxy } from '../runtime/testing/nodeProxy.ts'
import { writeState } from '../runtime/writeLife.ts'
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

/** The phase as the runtime knows it; the chain's may be earlier. */
async function age({ golem }: Summoned, phase: Phase): Promise<void> {
  const { state } = await golem.status()
  expect(await writeState(world.store, golem.id, { ...state, phase, version: state.version + 1 }, [])).toBe(
    true,
  )
}

/** The owner grants 100 USDC a day to the account, which feeds itself by the Golem's key. */
async function grantRunway({ id, owner, desk, root }: Summoned): Promise<void> {
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
  const asked = { chainId: numberToHex(chainId), to: desk.account.address, rules: [], permission }
  const [granted] = readGrants(await wallet.request({ method: requestMethod, params: [asked] }))
  const [grant] = granted ? decodeContext(granted.context) : []
  if (!grant) throw new Error('nothing was granted')
  const feed = await signFeed(desk.account, { grant, delegate: root.delegate })
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
  it('shows a life at one glance, and lists the living where none is named', async () => {
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
    expect(getStatus.say(status)).toContain('USDC: $10000.00')

    await world.summon()
    await expect(callTool({ ...context, golem: undefined }, getStatus, {})).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: expect.arrayContaining([expect.stringContaining(id)]),
    })
    await expectRefusals(context, getStatus, { valid: {}, runs })
  })

  it('tells what the store knows while nobody answers for the chain, and says so', async () => {
    const { id, context, root } = await world.summon()
    const proxy = await startNodeProxy(world.world.url)
    try {
      const away = createPublicClient({
        chain: world.world.chain,
        transport: http(proxy.url, { retryCount: 0 }),
      })
      const open = (golem: typeof id) => createGolem({ ...world.partsFor(golem), client: away })
      const there = { ...context, client: away, open }
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
          note: 'it cannot be reached',
        })
        expect(getStatus.say(status)).toContain('last seen at')
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
  it('draws what the phase allows, once, and says what was expected and what came', async () => {
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

    // Two at once draw the rest of the half once.
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
  it('ends a Golem for one of four reasons, and asks the owner for the rest', async () => {
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
    // Whatever is said, the record has to bear it out.
    for (const reason of ['terminal', 'policy_violation', 'heartbeat_anomaly'])
      await expect(callTool(context, revokePermissions, { reason })).rejects.toMatchObject({
        code: 'ACTION_NOT_ALLOWED',
        remedy: expect.stringContaining('owner_kill_switch'),
      })
    // One that there is not spares the others.
    const stranger = `0x${'ab'.repeat(32)}`
    await expect(
      callTool(context, revokePermissions, { golems: [one.id, stranger], reason: 'owner_kill_switch' }),
    ).rejects.toMatchObject({ code: 'GOLEM_UNKNOWN' })
    expect((await callTool(context, getStatus, {})).status).toBe('alive')

    const call = { golems: [one.id, two.id, one.id], reason: 'owner_kill_switch' }
    // Another owner's Golem is not there for tools that were opened for this one.
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
    // Each owner is asked once, for all that was signed: the runway too.
    expect(result.ownerRequests).toHaveLength(2)
    const [asked] = await world.store.ownerRequests.pending(one.id)
    const { permissionId } = runway.parse(
      (await world.store.grimoire.get(one.id, permissionKey(one.id)))?.body,
    )
    expect(asked?.body).toMatchObject({ delegations: [hashDelegation(one.root), permissionId] })
    expect(await namesOf(one)).toContain('PERMISSION_REVOKED')
    expect((await world.store.sessionKeys.list(one.id)).map(({ status }) => status)).toEqual(['wiped'])

    // A second time nothing more happens, whatever the reason.
    const nonce = () => world.world.client.getTransactionCount({ address: one.root.delegate })
    const sent = await nonce()
    const again = await callTool(context, revokePermissions, { reason: 'terminal' })
    expect(again).toMatchObject({ sessionAccountInvalidated: true, deaths: [{ trigger: 'killSwitch' }] })
    expect(await nonce()).toBe(sent)
    const status = await callTool(context, getStatus, {})
    expect(status).toMatchObject({ status: 'dead', stage: 'terminal', phase: 'terminal' })
    expect(status.healthChecks).toContainEqual({ name: 'row', ok: false, note: 'the chain shows it dead' })
  })

  it.each([
    ['terminal', 'economicExhaustion', { phase: 'terminal' }],
    ['terminal', 'economicExhaustion', { survivalScore: 999 }],
    ['policy_violation', 'policyViolation', { chainRefusals: [now(), now() - 1, now() - 80_000] }],
    ['heartbeat_anomaly', 'heartbeatAnomaly', { nextTickAt: now() - 1_000, intervalSeconds: 300 }],
  ] as const)('dies of %s by %s where the record says so', async (reason, trigger, record) => {
    const { context, golem } = await world.summon()
    const { state } = await golem.status()
    const next = { ...state, ...record, version: state.version + 1 }
    expect(await writeState(world.store, golem.id, next, [])).toBe(true)
    expect(await callTool(context, revokePermissions, { reason })).toMatchObject({ deaths: [{ trigger }] })
  })
})

describe('wallet_revoke_session_key', () => {
  it('wipes a key here, says that the grant stands, and the Golem asks for another', async () => {
    const summoned = await world.summon()
    const { context, golem, root, id } = summoned
    const [key] = await world.store.sessionKeys.list(id)
    if (!key) throw new Error('there is no key')
    const other = await world.summon()
    await expect(
      callTool(other.context, revokeSessionKey, { keyIds: [key.publicKey] }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' })
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
    expect(await callTool(context, revokeSessionKey, {})).toMatchObject({
      wiped: [],
      alreadyWiped: [key.publicKey],
      ownerRequests: result.ownerRequests,
    })

    // Nothing can be done without it, also in a process that had it open.
    const wish = { is: 'swap', from: 'USDC', to: 'WETH', dollars: 10 }
    await expect(callTool(context, previewActionTool, { wish })).rejects.toMatchObject({
      code: 'STEP_OUT_OF_ORDER',
    })
    expect(await golem.tick()).toMatchObject({ state: { recovery: { reason: 'keyLost' } } })
    const kinds = (await world.store.ownerRequests.pending(id)).map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['grant', 'revoke'])
  })
})
