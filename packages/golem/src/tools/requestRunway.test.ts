import { encodeRedemption, feedStep, sessionKeyAccount, signDelegation } from '@bardo/chain'
import { encodeContext } from '@bardo/core'
import { permissionKey } from '@bardo/store'
import { isAddressEqual, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { answerRequest } from '../owner/answerRequest.ts'
import { delegationSchema } from '../owner/ownerRequest.ts'
import { balanceOf } from '../runtime/testing/golemWorld.ts'
import { callTool } from './callTool.ts'
import { requestRunway } from './requestRunway.ts'
import { footprintOf, openOwnerWorld } from './testing/ownerWorld.ts'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
type Summoned = Awaited<ReturnType<typeof here.summon>>
let golem: Summoned

beforeAll(async () => {
  here = await openOwnerWorld()
  golem = await here.summon()
})
afterAll(() => here[Symbol.asyncDispose]())

const modest = ({ id }: Summoned) => ({ golems: [id], dailyCapUsdc: 10, durationDays: 7 })
const kept = z.looseObject({ grant: delegationSchema, feed: delegationSchema, dailyCap: z.bigint() })

it('refuses while the owner’s account is a plain one, and files nothing', async () => {
  await expect(callTool(golem.context, requestRunway, modest(golem))).rejects.toMatchObject({
    code: 'STEP_OUT_OF_ORDER',
    message: expect.stringContaining('smart account'),
  })
  expect((await footprintOf(here.store, golem.id)).requests).toEqual([])
  await golem.wallet.upgrade(golem.owner.address)
})

it('refuses a chain that nobody knows', async () => {
  const elsewhere = { ...golem.context, deployment: { ...golem.context.deployment, chainId: 137 } }
  await expect(callTool(elsewhere, requestRunway, modest(golem))).rejects.toMatchObject({
    code: 'UNSUPPORTED_CHAIN',
  })
})

it('feeds different Golems of one owner, and nobody else’s beside them', async () => {
  const other = await here.summon()
  const ask = (golems: readonly string[], context = golem.context) =>
    callTool(context, requestRunway, { ...modest(golem), golems })
  await expect(ask([golem.id, other.id])).rejects.toMatchObject({ code: 'GOLEM_UNKNOWN' })
  const everybody = { ...golem.context, golem: undefined }
  for (const golems of [
    [golem.id, other.id],
    [golem.id, golem.id],
  ])
    await expect(ask(golems, everybody)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect((await footprintOf(here.store, golem.id)).requests).toEqual([])
})

it('files what a wallet has to show, once for a key, and only one at a time', async () => {
  const input = { ...modest(golem), idempotencyKey: 'first' }
  const pending = await callTool(golem.context, requestRunway, input)
  expect(pending).toMatchObject({ status: 'pending', permissionId: null, dailyCap: '10000000' })
  expect(await callTool(golem.context, requestRunway, input)).toEqual(pending)
  const requests = await here.store.ownerRequests.pending(golem.id)
  expect(requests).toMatchObject([
    {
      id: pending.requestId,
      kind: 'runway',
      body: {
        sentence: expect.stringContaining('$10.00'),
        requests: [{ to: golem.account, permission: { type: 'erc20-token-periodic' } }],
      },
    },
  ])
  await expect(callTool(golem.context, requestRunway, modest(golem))).rejects.toMatchObject({
    code: 'STEP_OUT_OF_ORDER',
    details: [expect.stringContaining('waits for the owner')],
  })
  const refused = { is: 'refused' } as const
  const stranger = '0x00000000000000000000000000000000000000bb'
  await expect(answerRequest(golem.context, pending.requestId, stranger, refused)).rejects.toMatchObject({
    code: 'ACTION_NOT_ALLOWED',
  })
  expect(await answerRequest(golem.context, pending.requestId, golem.owner.address, refused)).toBe(true)
  expect(await answerRequest(golem.context, pending.requestId, golem.owner.address, refused)).toBe(false)
  const events = await here.store.events.read({ after: 0, golem: golem.id })
  expect(events.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['owner.requestFiled', 'owner.requestAnswered']),
  )
})

it('takes nothing wider than it asked for, by the signed bytes', async () => {
  const generous = await here.summon((prompt) =>
    prompt.kind === 'grant' ? { adjust: { periodAmount: parseUnits('11', 6) } } : 'approve',
  )
  await generous.wallet.upgrade(generous.owner.address)
  const context = { ...generous.context, owner: await generous.seat() }
  await expect(callTool(context, requestRunway, modest(generous))).rejects.toMatchObject({
    code: 'GRANT_MALFORMED',
    details: [expect.stringContaining('periodAmount')],
  })
  expect(await here.store.grimoire.get(generous.id, permissionKey(generous.id))).toBeUndefined()
  expect(await here.store.ownerRequests.pending(generous.id)).toHaveLength(1)
})

it('keeps what the owner made smaller, as it was signed', async () => {
  const careful = await here.summon((prompt) =>
    prompt.kind === 'grant' ? { adjust: { periodAmount: parseUnits('4', 6) } } : 'approve',
  )
  await careful.wallet.upgrade(careful.owner.address)
  const context = { ...careful.context, owner: await careful.seat() }
  const done = await callTool(context, requestRunway, modest(careful))
  expect(done).toMatchObject({ status: 'done', storedInGrimoire: true, dailyCap: '4000000' })
  expect(await here.store.ownerRequests.find(done.requestId)).toMatchObject({ state: 'adjusted' })
})

it('needs the owner’s express word beyond 90 days or 100 USDC a day', async () => {
  const owner = await golem.seat()
  const large = [
    { ...modest(golem), durationDays: 91 },
    { ...modest(golem), dailyCapUsdc: '100.01' },
  ]
  for (const input of large) {
    const pending = await callTool({ ...golem.context, owner }, requestRunway, input)
    expect(pending).toMatchObject({ status: 'pending', needsOverride: true })
    const { requestId: id } = pending
    const request = await here.store.ownerRequests.find(id)
    const answer = request && (await (await golem.seat(true)).answer(request))
    if (answer?.is !== 'granted') throw new Error('the owner granted nothing')
    const without = { ...answer, override: false }
    await expect(answerRequest(golem.context, id, owner.address, without)).rejects.toMatchObject({
      code: 'ACTION_NOT_ALLOWED',
    })
    const malformed = { code: 'GRANT_MALFORMED' }
    const [feed] = answer.feeds
    if (!feed) throw new Error('there is no feed')
    const anywhere = await signDelegation(golem.desk.account, { ...feed, caveats: [] })
    for (const feeds of [[], [anywhere], [{ ...feed, signature: anywhere.signature }]])
      await expect(
        answerRequest(golem.context, id, owner.address, { ...answer, feeds }),
      ).rejects.toMatchObject(malformed)
    await answerRequest(golem.context, id, owner.address, { is: 'refused' })
  }
})

it('is granted, stored and drawn into the account, and a second one conflicts until it is revoked', async () => {
  const context = { ...golem.context, owner: await golem.seat() }
  const done = await callTool(context, requestRunway, modest(golem))
  expect(done).toMatchObject({ status: 'done', needsOverride: false, dailyCap: '10000000' })
  const entry = await here.store.grimoire.get(golem.id, permissionKey(golem.id))
  const { grant, feed, dailyCap } = kept.parse(entry?.body)
  expect(dailyCap).toBe(parseUnits('10', 6))
  expect(isAddressEqual(grant.delegate, golem.account)).toBe(true)

  const { usdc } = here.world.addresses
  await here.world.fund(golem.owner.address, { USDC: parseUnits('50', 6) })
  const before = await balanceOf(here.world, usdc, golem.account)
  const session = await golem.context.keys?.(golem.id).open()
  if (!session) throw new Error('there is no key')
  const hash = await here.world.client.sendTransaction({
    account: sessionKeyAccount(session),
    to: here.world.framework.DelegationManager,
    data: encodeRedemption([feedStep({ feed, grant, token: usdc, amount: parseUnits('10', 6) })]),
  })
  await here.world.client.waitForTransactionReceipt({ hash })
  expect((await balanceOf(here.world, usdc, golem.account)) - before).toBe(parseUnits('10', 6))

  await expect(callTool(context, requestRunway, modest(golem))).rejects.toMatchObject({
    code: 'STEP_OUT_OF_ORDER',
    details: [expect.stringContaining('it runs until')],
  })
  const permissionContext = encodeContext([grant])
  await golem.wallet.request({ method: 'wallet_revokeExecutionPermission', params: { permissionContext } })
  expect(await callTool(context, requestRunway, modest(golem))).toMatchObject({ status: 'done' })
})

it.each(['stable', 'conservation', 'declining', 'terminal'] as const)('is not there in %s', async (phase) => {
  const other = await here.summon()
  await here.age(other.id, phase)
  await expect(callTool(other.context, requestRunway, modest(other))).rejects.toMatchObject({
    code: phase === 'terminal' ? 'GOLEM_DYING' : 'ACTION_NOT_ALLOWED',
  })
})
