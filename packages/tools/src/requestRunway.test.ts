import { systemClock } from '@bardo/chain'
import {
  createMemoryJournal,
  encodeContext,
  encodeRedemption,
  runwayDrawStep,
  signDelegation,
} from '@bardo/core'
import { delegationSchema } from '@bardo/golem/permission'
import { answerRequest } from '@bardo/golem/requests'
import { balanceOf } from '@bardo/golem/testing/golemWorld'
import { permissionKey } from '@bardo/store'
import { createWalletSubmitter } from '@bardo/wallets'
import { isAddressEqual, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
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

const smallRunway = ({ id }: Summoned) => ({ golems: [id], dailyCapUsdc: 10, durationDays: 7 })
const storedRunway = z.looseObject({ grant: delegationSchema, feed: delegationSchema, dailyCap: z.bigint() })

it('refuses while the owner’s account is not a smart account, and files nothing', async () => {
  await expect(callTool(golem.context, requestRunway, smallRunway(golem))).rejects.toMatchObject({
    code: 'STEP_OUT_OF_ORDER',
    message: expect.stringContaining('smart account'),
  })
  expect((await footprintOf(here.store, golem.id)).requests).toEqual([])
  await golem.wallet.upgrade(golem.owner.address)
})

it('refuses an unsupported chain', async () => {
  const elsewhere = { ...golem.context, deployment: { ...golem.context.deployment, chainId: 137 } }
  await expect(callTool(elsewhere, requestRunway, smallRunway(golem))).rejects.toMatchObject({
    code: 'UNSUPPORTED_CHAIN',
  })
})

it('accepts distinct Golems of one owner only', async () => {
  const other = await here.summon()
  const ask = (golems: readonly string[], context = golem.context) =>
    callTool(context, requestRunway, { ...smallRunway(golem), golems })
  await expect(ask([golem.id, other.id])).rejects.toMatchObject({ code: 'GOLEM_UNKNOWN' })
  const unrestricted = { ...golem.context, golem: undefined }
  for (const golems of [
    [golem.id, other.id],
    [golem.id, golem.id],
  ])
    await expect(ask(golems, unrestricted)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect((await footprintOf(here.store, golem.id)).requests).toEqual([])
})

it('files one wallet request per idempotency key, and only one at a time', async () => {
  const input = { ...smallRunway(golem), idempotencyKey: 'first' }
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
  await expect(callTool(golem.context, requestRunway, smallRunway(golem))).rejects.toMatchObject({
    code: 'STEP_OUT_OF_ORDER',
    details: [expect.stringContaining('is waiting for the owner')],
  })
  const refused = { type: 'refused' } as const
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

it('refuses a grant that is wider than the request, judged by the signed bytes', async () => {
  const generous = await here.summon((prompt) =>
    prompt.kind === 'grant' ? { adjust: { periodAmount: parseUnits('11', 6) } } : 'approve',
  )
  await generous.wallet.upgrade(generous.owner.address)
  const context = { ...generous.context, owner: await generous.responder() }
  await expect(callTool(context, requestRunway, smallRunway(generous))).rejects.toMatchObject({
    code: 'GRANT_MALFORMED',
    details: [expect.stringContaining('periodAmount')],
  })
  expect(await here.store.grimoire.get(generous.id, permissionKey(generous.id))).toBeUndefined()
  expect(await here.store.ownerRequests.pending(generous.id)).toHaveLength(1)
})

it('stores a runway that the owner made smaller, as it was signed', async () => {
  const careful = await here.summon((prompt) =>
    prompt.kind === 'grant' ? { adjust: { periodAmount: parseUnits('4', 6) } } : 'approve',
  )
  await careful.wallet.upgrade(careful.owner.address)
  const context = { ...careful.context, owner: await careful.responder() }
  const done = await callTool(context, requestRunway, smallRunway(careful))
  expect(done).toMatchObject({ status: 'done', storedInGrimoire: true, dailyCap: '4000000' })
  expect(await here.store.ownerRequests.find(done.requestId)).toMatchObject({ state: 'adjusted' })
})

it('needs the owner’s explicit confirmation above 90 days or 100 USDC a day', async () => {
  const owner = await golem.responder()
  const large = [
    { ...smallRunway(golem), durationDays: 91 },
    { ...smallRunway(golem), dailyCapUsdc: '100.01' },
  ]
  for (const input of large) {
    const pending = await callTool({ ...golem.context, owner }, requestRunway, input)
    expect(pending).toMatchObject({ status: 'pending', needsOverride: true })
    const { requestId: id } = pending
    const request = await here.store.ownerRequests.find(id)
    const answer = request && (await (await golem.responder(true)).answer(request))
    if (answer?.type !== 'granted') throw new Error('the owner did not grant the runway')
    const without = { ...answer, override: false }
    await expect(answerRequest(golem.context, id, owner.address, without)).rejects.toMatchObject({
      code: 'ACTION_NOT_ALLOWED',
    })
    const malformed = { code: 'GRANT_MALFORMED' }
    const [feed] = answer.feeds
    if (!feed) throw new Error('there is no draw delegation')
    const anywhere = await signDelegation(golem.signer.account, { ...feed, caveats: [] })
    for (const feeds of [[], [anywhere], [{ ...feed, signature: anywhere.signature }]])
      await expect(
        answerRequest(golem.context, id, owner.address, { ...answer, feeds }),
      ).rejects.toMatchObject(malformed)
    await answerRequest(golem.context, id, owner.address, { type: 'refused' })
  }
})

it('grants, stores and draws a runway into the account, and refuses a second one until it is revoked', async () => {
  const context = { ...golem.context, owner: await golem.responder() }
  const done = await callTool(context, requestRunway, smallRunway(golem))
  expect(done).toMatchObject({ status: 'done', needsOverride: false, dailyCap: '10000000' })
  const entry = await here.store.grimoire.get(golem.id, permissionKey(golem.id))
  const { grant, feed, dailyCap } = storedRunway.parse(entry?.body)
  expect(dailyCap).toBe(parseUnits('10', 6))
  expect(isAddressEqual(grant.delegate, golem.account)).toBe(true)

  const { usdc } = here.world.addresses
  await here.world.fund(golem.owner.address, { USDC: parseUnits('50', 6) })
  const before = await balanceOf(here.world, usdc, golem.account)
  const wallet = await golem.context.keys?.(golem.id).open()
  if (!wallet) throw new Error('there is no key')
  const submitter = createWalletSubmitter(wallet, {
    client: here.world.client,
    chainId: here.world.chainId,
    journal: createMemoryJournal(),
    clock: systemClock,
    settings: { finality: 1, pollMs: 20 },
  })
  await submitter.submit({
    id: 'a draw',
    to: here.world.framework.DelegationManager,
    data: encodeRedemption([runwayDrawStep({ feed, grant, token: usdc, amount: parseUnits('10', 6) })]),
  })
  expect((await balanceOf(here.world, usdc, golem.account)) - before).toBe(parseUnits('10', 6))

  await expect(callTool(context, requestRunway, smallRunway(golem))).rejects.toMatchObject({
    code: 'STEP_OUT_OF_ORDER',
    details: [expect.stringContaining('it is valid until')],
  })
  const permissionContext = encodeContext([grant])
  await golem.wallet.request({ method: 'wallet_revokeExecutionPermission', params: { permissionContext } })
  expect(await callTool(context, requestRunway, smallRunway(golem))).toMatchObject({ status: 'done' })
})

it.each(['stable', 'conservation', 'declining', 'terminal'] as const)(
  'is not available in phase %s',
  async (phase) => {
    const other = await here.summon()
    await here.age(other.id, phase)
    await expect(callTool(other.context, requestRunway, smallRunway(other))).rejects.toMatchObject({
      code: phase === 'terminal' ? 'GOLEM_DYING' : 'ACTION_NOT_ALLOWED',
    })
  },
)

it('stores no draw delegation for a key that becomes suspected while the owner signs', async () => {
  const other = await here.summon()
  await other.wallet.upgrade(other.owner.address)
  const { requestId } = await callTool(other.context, requestRunway, smallRunway(other))
  const request = await here.store.ownerRequests.find(requestId)
  const responder = await other.responder()
  const answer = request && (await responder.answer(request))
  if (!answer) throw new Error('the owner did not answer')
  const living = await other.context.open(other.id)
  let isFirst = true
  const transaction: typeof here.store.transaction = async (work) => {
    if (isFirst) {
      isFirst = false
      await living.rotate('suspected')
    }
    return here.store.transaction(work)
  }
  const context = { ...other.context, store: { ...here.store, transaction } }
  await expect(answerRequest(context, requestId, other.owner.address, answer)).rejects.toMatchObject({
    code: 'STEP_OUT_OF_ORDER',
    message: expect.stringContaining('suspected'),
  })
  expect(await here.store.grimoire.get(other.id, permissionKey(other.id))).toBeUndefined()
})
