import { isDisabled, redeem, revoke, systemClock } from '@bardo/chain'
import {
  createMemoryJournal,
  hashDelegation,
  runwayDrawStep,
  upgradedAccount,
  walletSigner,
} from '@bardo/core'
import { drawLinks, findRunway, readRunway } from '@bardo/golem/funding'
import { createGolem } from '@bardo/golem/heartbeat'
import type { GolemSettings } from '@bardo/golem/permission'
import { delegationSchema } from '@bardo/golem/permission'
import {
  answerRequest,
  answerUnattended,
  readGrantRequest,
  regrant,
  runwayEffect,
} from '@bardo/golem/requests'
import { balanceOf, partsOf } from '@bardo/golem/testing/golemWorld'
import { permissionKey } from '@bardo/store'
import { activeKey, createWalletSubmitter } from '@bardo/wallets'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { callTool } from './callTool.ts'
import { checkPermissionHealth } from './checkPermissionHealth.ts'
import { configurePolicy } from './configurePolicy.ts'
import { redeemRunway } from './redeemRunway.ts'
import { requestRunway } from './requestRunway.ts'
import { openOwnerWorld } from './testing/ownerWorld.ts'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
beforeAll(async () => {
  here = await openOwnerWorld()
})
afterAll(() => here[Symbol.asyncDispose]())

const storedRunway = z.looseObject({ grant: delegationSchema, feed: delegationSchema })
const strategy = async () => ({ type: 'wait', because: 'a test decides' }) as const
/** One dollar a day: seven dollars are the whole lifetime. */
const dayPrices = { compute: 100n, data: 0n }
const oneDay = 86_400

/** A Golem that waits, whose owner grants every runway it requests. */
async function summonFunded(
  runwayCents: bigint,
  ask: { readonly dailyCapUsdc: number; readonly durationDays: number },
  changes: Partial<GolemSettings> = {},
  text = 'Swap USDC into WETH.\n\nbudget: $50/day\nlifespan: 60 days',
) {
  const one = await here.summon(undefined, text)
  const settings = { strategy, economy: { runwayCents, dayPrices }, ...changes }
  const parts = partsOf(here.world, here.store, one.id, settings)
  const context = {
    ...one.context,
    open: (id: typeof one.id) =>
      createGolem(id === one.id ? parts : partsOf(here.world, here.store, id, settings)),
    owner: await one.responder(),
  }
  const golem = await createGolem(parts)
  await golem.tick()
  await one.wallet.upgrade(one.owner.address)
  await here.world.fund(one.owner.address, { USDC: parseUnits('500', 6) })
  const request = (again = ask) => callTool(context, requestRunway, { golems: [one.id], ...again })
  expect(await request()).toMatchObject({ status: 'done' })
  const entry = async () =>
    storedRunway.parse((await here.store.grimoire.get(one.id, permissionKey(one.id)))?.body)
  return { ...one, parts, context, golem, request, entry }
}

/** The owner's wallet revokes the grant. */
async function revokeGrant({ signer, owner, context, entry }: Awaited<ReturnType<typeof summonFunded>>) {
  const account = upgradedAccount(context.deployment, { address: owner.address, signer: walletSigner(owner) })
  await revoke({ ...signer, account }, { delegation: (await entry()).grant, cause: 'owner' })
}

it('shares its runway with a child: 10 USDC a day minus 2 leaves 8, on the chain and in every view', async () => {
  const text = 'Swap USDC into WETH. Spawn replicants.\n\nbudget: $50/day\nlifespan: 60 days\nreplicants: 1'
  const one = await summonFunded(10_000n, { dailyCapUsdc: 10, durationDays: 30 }, {}, text)
  const usdc = () => balanceOf(here.world, here.world.addresses.usdc, one.account)
  const share = {
    name: `child-${one.id.slice(2, 8)}`,
    dailyCents: 200n,
    budgetCents: 300n,
    runwayCents: 2_000n,
    lifespanSeconds: 5 * oneDay,
    calls: 10,
  }
  await expect(one.golem.replicate({ ...share, runwayDaily: parseUnits('10', 6) })).rejects.toThrow(
    /daily runway must be a part/,
  )
  const childId = await one.golem.replicate({ ...share, runwayDaily: parseUnits('2', 6) })
  const childContext = { ...one.context, golem: childId }
  const childParts = partsOf(here.world, here.store, childId, one.parts.settings)
  const child = await createGolem(childParts)
  const capOf = async (context: typeof one.context) =>
    (await callTool(context, checkPermissionHealth, {})).runway
  expect(await capOf(one.context)).toMatchObject({ dailyCap: '8' })
  expect(await capOf(childContext)).toMatchObject({ dailyCap: '2' })
  // A rotation of the parent in between changes nothing for the child.
  await one.golem.rotate('age')
  const before = await usdc()
  expect(await child.draw('first')).toMatchObject({ actual: parseUnits('2', 6), remaining: 0n })
  await expect(child.draw('second')).rejects.toMatchObject({ code: 'SPEND_LIMIT_EXCEEDED' })
  const parent = await createGolem(one.parts)
  expect(await parent.draw('parent')).toMatchObject({ actual: parseUnits('8', 6), remaining: 0n })
  await expect(parent.draw('again')).rejects.toMatchObject({ code: 'SPEND_LIMIT_EXCEEDED' })
  expect((await usdc()) - before).toBe(parseUnits('10', 6))
  // A thief with the child's key: the chain holds it to its share, and to the owner's account.
  await here.world.warp(oneDay)
  const runway = await findRunway(here.store, childId)
  const key = await activeKey(here.store, childId)
  if (!runway || !key) throw new Error('there is no runway')
  const wallet = await childParts.keys.open()
  if (!wallet) throw new Error('there is no key')
  const { client, deployment } = childParts
  const submitter = createWalletSubmitter(wallet, {
    client,
    chainId: here.world.chainId,
    journal: createMemoryJournal(),
    clock: systemClock,
    settings: { finality: 1, pollMs: 20 },
  })
  const thief = { client, deployment, address: wallet.address, submitter }
  const steal = (amount: string) =>
    redeem(thief, {
      id: `steal-${amount}`,
      steps: [
        runwayDrawStep({
          feed: runway.feed,
          below: drawLinks(runway, key.address).slice(0, -1),
          grant: runway.grant,
          token: runway.token,
          amount: parseUnits(amount, 6),
        }),
      ],
    })
  await expect(steal('2.01')).rejects.toThrow(/ERC20PeriodTransfer/)
  // Its end gives the share back; after the parent's rotation only the child itself can end its authority.
  expect(await parent.endReplicant(childId)).toBe('keyReplaced')
  expect(await child.end('ownerRevocation')).toMatchObject({ phase: 'over' })
  // It asks the owner to revoke its own link, and not the wallet's grant to its parent.
  const own = (await child.status()).permission.links[0]
  expect(await here.store.ownerRequests.pending(childId)).toMatchObject([
    { kind: 'revoke', body: { delegations: [hashDelegation(own)] } },
  ])
  expect(await capOf(one.context)).toMatchObject({ dailyCap: '10' })
  const next = await parent.replicate({ ...share, name: `next-${one.id.slice(2, 8)}` })
  // Without a number it is the same share as of the daily limit: 2 of 50.
  expect(await capOf({ ...one.context, golem: next })).toMatchObject({ dailyCap: '0.4' })
  expect(await parent.endReplicant(next)).toBe('disabled')
  const ended = (await findRunway(here.store, next))?.handedOn.at(-1)
  expect(ended && (await isDisabled(one.context, ended))).toBe(true)
})

const thriving = { type: 'ticked', state: { phase: 'thriving', survivalScore: 10_000 } }

it('continues on its own budget after the runway expired, and can request another', async () => {
  const one = await summonFunded(10_000n, { dailyCapUsdc: 5, durationDays: 1 })
  expect(await one.golem.tick()).toMatchObject(thriving)
  await here.world.warp(2 * oneDay)
  expect(await one.golem.tick()).toMatchObject(thriving)
  expect(await one.request()).toMatchObject({ status: 'done' })
  expect(await one.golem.tick()).toMatchObject(thriving)
})

it('continues on its own budget after the owner revoked the runway, and can request another', async () => {
  const one = await summonFunded(10_000n, { dailyCapUsdc: 5, durationDays: 30 })
  await revokeGrant(one)
  expect(await one.golem.tick()).toMatchObject(thriving)
  expect(await one.request()).toMatchObject({ status: 'done' })
  expect(await one.golem.tick()).toMatchObject(thriving)
})

it('keeps its phase when the owner grants less than its own budget', async () => {
  const one = await summonFunded(10_000n, { dailyCapUsdc: 1, durationDays: 3 })
  expect(await one.golem.tick()).toMatchObject(thriving)
})

it('dies of economic exhaustion when its own budget and the runway are used up', async () => {
  const one = await summonFunded(700n, { dailyCapUsdc: 7, durationDays: 30 })
  await here.world.warp(8 * oneDay)
  expect(await one.golem.tick()).toMatchObject(thriving)
  await revokeGrant(one)
  expect(await one.golem.tick()).toMatchObject({ type: 'dying', death: { trigger: 'economicExhaustion' } })
})

it('draws the runway after one, two and four rotations by policy', async () => {
  const one = await summonFunded(10_000n, { dailyCapUsdc: 20, durationDays: 30 })
  const { context, golem, account } = one
  const usdc = () => balanceOf(here.world, here.world.addresses.usdc, account)
  const before = await usdc()
  for (const rotation of [1, 2, 3, 4]) {
    await golem.rotate('age')
    expect((await golem.status()).permission.links).toHaveLength(rotation + 1)
    expect(await callTool(context, checkPermissionHealth, {})).toMatchObject({
      runway: { health: 'healthy', drawable: true, remainingToday: '20' },
    })
    await expect(one.request()).rejects.toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
    if (rotation !== 3) expect(await callTool(context, redeemRunway, {})).toMatchObject({ redeemed: '20' })
    await here.world.warp(oneDay)
  }
  expect((await usdc()) - before).toBe(parseUnits('60', 6))
  expect(await golem.tick()).toMatchObject(thriving)
})

it('stops draws by a suspected key: health reports it, and another runway can be requested', async () => {
  const one = await summonFunded(10_000n, { dailyCapUsdc: 20, durationDays: 30 })
  const { id, context, golem } = one
  await golem.rotate('age')
  const { feed } = await one.entry()
  await golem.rotate('suspected')
  const [grantRequest] = await here.store.ownerRequests.pending(id)
  const revoked =
    grantRequest && readGrantRequest(grantRequest).revoke.map((delegation) => hashDelegation(delegation))
  expect(revoked).toContain(hashDelegation(feed))
  expect(await answerUnattended(context, id)).toEqual([grantRequest?.id])
  expect(await golem.tick()).toMatchObject({ ...thriving, state: { recovery: { type: 'acting' } } })
  expect(await isDisabled(context, feed)).toBe(true)
  // The suspected key did not redelegate the draw.
  const [runway, key] = [await findRunway(here.store, id), await activeKey(here.store, id)]
  expect(runway && key && drawLinks(runway, key.address)).toEqual([])

  await expect(callTool(context, redeemRunway, {})).rejects.toMatchObject({
    code: 'STEP_OUT_OF_ORDER',
    remedy: expect.stringContaining('metamask_request_runway'),
  })
  const health = await callTool(context, checkPermissionHealth, {})
  expect(health).toMatchObject({
    runway: { health: 'critical', drawable: false, remainingToday: '0', totalRemaining: '0' },
  })
  expect(checkPermissionHealth.say(health)).toContain('the session key cannot draw on it')

  // A runway that cannot be drawn does not count beside the new one.
  expect(await one.request({ dailyCapUsdc: 10, durationDays: 10 })).toMatchObject({ status: 'done' })
  const { permission } = await golem.status()
  expect(await readRunway(one.parts, permission)).toBe(10_000n)
  expect(await callTool(context, redeemRunway, {})).toMatchObject({ redeemed: '10' })
})

it('can still draw after a feed, and after the next rotation', async () => {
  const one = await summonFunded(10_000n, { dailyCapUsdc: 20, durationDays: 30 })
  await one.golem.rotate('age')
  await regrant(one.signer, one.parts)
  expect(await callTool(one.context, redeemRunway, {})).toMatchObject({ redeemed: '20' })
  await here.world.warp(oneDay)
  await one.golem.rotate('age')
  expect(await callTool(one.context, redeemRunway, {})).toMatchObject({ redeemed: '20' })
})

it('loses no lifetime by a draw, and continues on the drawn funds after the runway expired', async () => {
  const one = await summonFunded(700n, { dailyCapUsdc: 20, durationDays: 2 })
  const { parts, context, golem } = one
  const left = async () => Number(await readRunway(parts, (await golem.status()).permission))
  const draw = () => callTool(context, redeemRunway, {})
  expect(await left()).toBe(4_000)
  await draw()
  expect(await left()).toBe(4_000)
  // Each draw pays for the following days: a dollar a day, and some cents for the gas of the draws.
  const isAbout = async (cents: number, gasCents: number) => {
    expect(await left()).toBeLessThanOrEqual(cents)
    expect(await left()).toBeGreaterThan(cents - gasCents)
  }
  await here.world.warp(oneDay)
  await isAbout(3_900, 200)
  await draw()
  await isAbout(3_900, 200)
  await here.world.warp(8 * oneDay)
  await isAbout(3_100, 400)
  expect(await golem.tick()).toMatchObject(thriving)
})

it('counts a draw that is mined before the journal records it', async () => {
  const one = await summonFunded(10_000n, { dailyCapUsdc: 20, durationDays: 10 })
  const { permission } = await one.golem.status()
  const emptyJournal = { ...here.store.journal, find: async () => undefined }
  const parts = { ...one.parts, store: { ...here.store, journal: emptyJournal } }
  const before = await readRunway(parts, permission)
  await callTool(one.context, redeemRunway, {})
  expect(await readRunway(parts, permission)).toBe(before)
})

it('draws nothing under a read-only policy', async () => {
  const one = await summonFunded(10_000n, { dailyCapUsdc: 20, durationDays: 10 })
  await callTool(one.context, configurePolicy, { policyTemplate: 'read-only' })
  const before = await balanceOf(here.world, here.world.addresses.usdc, one.account)
  await expect(callTool(one.context, redeemRunway, {})).rejects.toMatchObject({
    code: 'ACTION_NOT_ALLOWED',
    message: expect.stringContaining('read-only'),
  })
  expect(await balanceOf(here.world, here.world.addresses.usdc, one.account)).toBe(before)
})

it('tells the owner before approval what a smaller runway would change', async () => {
  const one = await summonFunded(1_000n, { dailyCapUsdc: 1, durationDays: 1 })
  await here.world.warp(oneDay)
  const withoutResponder = { ...one.context, owner: undefined as never }
  const ask = { golems: [one.id], dailyCapUsdc: 5, durationDays: 30 }
  const { requestId } = await callTool(withoutResponder, requestRunway, ask)
  const request = await here.store.ownerRequests.find(requestId)
  if (!request) throw new Error('no request was filed')
  expect(await runwayEffect(one.parts, request, { amount: '1', days: 3 })).toEqual({
    nowCents: 900n,
    runwayCents: 300n,
    dailyCostCents: 100n,
    lengthensLife: false,
    sentence:
      'The Golem costs $1.00 a day and has funds for 9 days. $1.00 a day for 3 days covers 3 days. That is not more than it has: its lifetime and its phase do not change.',
  })
  expect(await runwayEffect(one.parts, request)).toMatchObject({
    runwayCents: 15_000n,
    lengthensLife: true,
    sentence: expect.stringContaining('It can then live for 150 days.'),
  })
})

it('includes the runway’s grant, and an earlier one that is still valid, in the revocation after a kill', async () => {
  const one = await summonFunded(10_000n, { dailyCapUsdc: 20, durationDays: 30 })
  const { grant: first } = await one.entry()
  await one.golem.rotate('suspected')
  await answerUnattended(one.context, one.id)
  await one.golem.tick()
  await one.request()
  const { grant: second } = await one.entry()
  await one.golem.kill()
  const pending = await here.store.ownerRequests.pending(one.id)
  const body = z
    .looseObject({ delegations: z.array(z.string()) })
    .parse(pending.find(({ kind }) => kind === 'revoke')?.body)
  for (const grant of [first, second]) expect(body.delegations).toContain(hashDelegation(grant))
  await answerUnattended(one.context, one.id)
  for (const grant of [first, second]) expect(await isDisabled(one.context, grant)).toBe(true)
  expect(await here.store.ownerRequests.pending(one.id)).toEqual([])
})

it('grants a runway to the active key, though it was requested before a rotation', async () => {
  const one = await summonFunded(10_000n, { dailyCapUsdc: 1, durationDays: 1 })
  await here.world.warp(oneDay)
  const withoutResponder = { ...one.context, owner: undefined as never }
  const ask = { golems: [one.id], dailyCapUsdc: 5, durationDays: 30 }
  const { requestId } = await callTool(withoutResponder, requestRunway, ask)
  await one.golem.rotate('age')
  expect(await answerUnattended(one.context, one.id)).toEqual([requestId])
  expect(await callTool(one.context, redeemRunway, {})).toMatchObject({ redeemed: '5' })
})

it('refuses a draw delegation that was signed before its key was suspected', async () => {
  const one = await summonFunded(10_000n, { dailyCapUsdc: 1, durationDays: 1 })
  await here.world.warp(oneDay)
  const withoutResponder = { ...one.context, owner: undefined as never }
  const ask = { golems: [one.id], dailyCapUsdc: 5, durationDays: 30 }
  const { requestId } = await callTool(withoutResponder, requestRunway, ask)
  const request = await here.store.ownerRequests.find(requestId)
  const answer = request && (await (await one.responder()).answer(request))
  if (!answer) throw new Error('the owner did not answer')
  await one.golem.rotate('suspected')
  await expect(answerRequest(one.context, requestId, one.owner.address, answer)).rejects.toMatchObject({
    code: 'STEP_OUT_OF_ORDER',
    message: expect.stringContaining('suspected'),
  })
})
