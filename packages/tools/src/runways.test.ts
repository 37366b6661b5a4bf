import { readRunway } from '@bardo/golem/funding'
import { delegationSchema } from '@bardo/golem/permission'
import { answerRequest } from '@bardo/golem/requests'
import { balanceOf } from '@bardo/golem/testing/golemWorld'
import { permissionKey } from '@bardo/store'
import { activeKey } from '@bardo/wallets'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { callTool } from './callTool.ts'
import { checkPermissionHealth } from './checkPermissionHealth.ts'
import { redeemRunway } from './redeemRunway.ts'
import { requestRunway } from './requestRunway.ts'
import { openOwnerWorld } from './testing/ownerWorld.ts'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
beforeAll(async () => {
  here = await openOwnerWorld()
})
afterAll(() => here[Symbol.asyncDispose]())

const storedRunway = z.looseObject({ permissionId: z.string(), golem: z.string(), feed: delegationSchema })

it('grants runways to two Golems of one owner, each with its own permission and key', async () => {
  const one = await here.summon()
  const two = await here.summon(undefined, 'Deposit USDC into the vault. At most $50 a day.', one.owner)
  expect(two.owner.address).toBe(one.owner.address)
  await one.wallet.upgrade(one.owner.address)
  await here.world.fund(one.owner.address, { USDC: parseUnits('500', 6) })
  const context = { ...one.context, owner: await one.responder() }
  const ask = { golems: [one.id, two.id], dailyCapUsdc: 20, durationDays: 7 }
  expect(await callTool(context, requestRunway, ask)).toMatchObject({ status: 'done', needsOverride: false })

  const entries = await Promise.all(
    [one.id, two.id].map(async (id) =>
      storedRunway.parse((await here.store.grimoire.get(id, permissionKey(id)))?.body),
    ),
  )
  expect(entries.map(({ golem }) => golem)).toEqual([one.id, two.id])
  expect(new Set(entries.map(({ permissionId }) => permissionId)).size).toBe(2)
  for (const [index, { id }] of [one, two].entries())
    expect(entries[index]?.feed.delegate).toBe((await activeKey(here.store, id))?.address)

  // The runway counts: the rest of today plus six whole days.
  const { permission } = await (await context.open(one.id)).status()
  expect(await readRunway({ ...context, id: one.id }, permission)).toBe(14_000n)

  // A draw by one does not use up the other's day, and both go into the owner's account.
  const usdc = () => balanceOf(here.world, here.world.addresses.usdc, one.account)
  const before = await usdc()
  const draw = (golem: string) => callTool(context, redeemRunway, { golem })
  expect(await draw(one.id)).toMatchObject({ redeemed: '20', remaining: '0' })
  await expect(draw(one.id)).rejects.toMatchObject({ code: 'SPEND_LIMIT_EXCEEDED' })
  expect(await draw(two.id)).toMatchObject({ redeemed: '20', remaining: '0' })
  expect((await usdc()) - before).toBe(parseUnits('40', 6))
  await here.world.warp(60)
  expect(await callTool(context, checkPermissionHealth, { golem: two.id })).toMatchObject({
    runway: {
      permissionId: entries[1]?.permissionId,
      symbol: 'USDC',
      health: 'critical',
      dailyCap: '20',
      remainingToday: '0',
      daysRemaining: 6,
      totalRemaining: '120',
    },
  })

  for (const id of [one.id, two.id])
    await expect(callTool(context, requestRunway, { ...ask, golems: [id] })).rejects.toMatchObject({
      code: 'STEP_OUT_OF_ORDER',
    })
})

it('counts the Golems of a call together against the limit', async () => {
  const one = await here.summon()
  const two = await here.summon(undefined, 'Deposit USDC into the vault. At most $50 a day.', one.owner)
  await one.wallet.upgrade(one.owner.address)
  const ask = (dailyCapUsdc: string, golems: readonly string[]) =>
    callTool({ ...one.context }, requestRunway, { golems, dailyCapUsdc, durationDays: 7 })
  expect(await ask('50.01', [one.id, two.id])).toMatchObject({ needsOverride: true, status: 'pending' })
  // The request is stored under the first Golem's id, and blocks the second too.
  await expect(ask('1', [two.id])).rejects.toMatchObject({
    code: 'STEP_OUT_OF_ORDER',
    details: [expect.stringContaining('is waiting for the owner')],
  })
})

it('lets an owner grant one of two concurrent requests, and refuses the second', async () => {
  const one = await here.summon()
  await one.wallet.upgrade(one.owner.address)
  const ask = () =>
    callTool(one.context, requestRunway, { golems: [one.id], dailyCapUsdc: 5, durationDays: 7 })
  const requestIds = (await Promise.allSettled([ask(), ask()])).flatMap((end) =>
    end.status === 'fulfilled' ? [end.value.requestId] : [],
  )
  // Whether both succeed depends on timing; otherwise the second is filed here.
  const [first = ''] = requestIds
  const request = await here.store.ownerRequests.find(first)
  const second = requestIds[1] ?? `${first}:again`
  if (request && !requestIds[1])
    await here.store.ownerRequests.file({
      id: second,
      golem: one.id,
      kind: 'runway',
      body: { ...(request.body as object) },
    })
  const responder = await one.responder()
  const answerOf = async (id: string) => {
    const filed = await here.store.ownerRequests.find(id)
    const answer = filed && (await responder.answer(filed))
    if (!answer) throw new Error('the owner did not answer')
    return (store = here.store) => answerRequest({ ...one.context, store }, id, one.owner.address, answer)
  }
  const [grantFirst, grantSecond] = [await answerOf(first), await answerOf(second)]
  // The second answer is validated before the first is stored, and is still refused.
  const evaluated = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const late = grantSecond({
    ...here.store,
    async transaction(work) {
      evaluated.resolve()
      await written.promise
      return here.store.transaction(work)
    },
  })
  await evaluated.promise
  expect(await grantFirst()).toBe(true)
  written.resolve()
  await expect(late).rejects.toMatchObject({
    code: 'STEP_OUT_OF_ORDER',
    details: ['another runway was granted in the meantime'],
  })
  await expect(grantSecond()).rejects.toMatchObject({
    code: 'STEP_OUT_OF_ORDER',
    details: [expect.stringContaining('it is valid until')],
  })
  expect(await callTool(one.context, checkPermissionHealth, {})).toMatchObject({ runway: { dailyCap: '5' } })
})

it('waits for its own owner if the responder belongs to another', async () => {
  const [one, other] = [await here.summon(), await here.summon()]
  expect(one.owner.address).not.toBe(other.owner.address)
  await one.wallet.upgrade(one.owner.address)
  const context = { ...one.context, owner: await other.responder() }
  const ask = { golems: [one.id], dailyCapUsdc: 20, durationDays: 7 }
  expect(await callTool(context, requestRunway, ask)).toMatchObject({ status: 'pending' })
})
