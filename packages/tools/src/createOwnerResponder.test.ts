import { answerRequest, createOwnerResponder, type NarrowedRequest } from '@bardo/golem/requests'
import { recordingOwner } from '@bardo/golem/testing/recordingOwner'
import { type Json, permissionKey } from '@bardo/store'
import { erc20Abi, parseEther, parseUnits, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { callTool } from './callTool.ts'
import { fund } from './fund.ts'
import { provisionSessionKey } from './provisionSessionKey.ts'
import { requestRunway } from './requestRunway.ts'
import { openOwnerWorld } from './testing/ownerWorld.ts'

const runwaySpan = z.looseObject({ startsAt: z.number(), expiresAt: z.number() })

let here: Awaited<ReturnType<typeof openOwnerWorld>>
beforeAll(async () => {
  here = await openOwnerWorld()
})
afterAll(() => here[Symbol.asyncDispose]())

/** A Golem, its owner, and a function that answers a request as the owner. */
async function openResponder() {
  const golem = await here.summon()
  const { context, owner, signer, book, wallet } = golem
  await wallet.upgrade(owner.address)
  const options = { ...signer, store: here.store, book, owner }
  const requestOf = async (id: string | undefined) => {
    const request = await here.store.ownerRequests.find(id ?? '')
    if (!request) throw new Error('no request was filed')
    return request
  }
  return {
    ...golem,
    requestOf,
    keyOnly: createOwnerResponder(options),
    async say(id: string | undefined, less?: NarrowedRequest, override = false) {
      const request = await requestOf(id)
      const answer = await createOwnerResponder({ ...options, wallet, override }).answer(request, less)
      if (answer) await answerRequest(context, request.id, owner.address, answer)
      return answer
    },
  }
}

it('grants a part of a runway: a lower daily amount and fewer days', async () => {
  const { id, context, say, requestOf } = await openResponder()
  const { requestId } = await callTool(context, requestRunway, {
    golems: [id],
    dailyCapUsdc: 5,
    durationDays: 30,
  })
  for (const less of [{ amount: '5.01' }, { amount: '0' }, { amount: '-1' }, { amount: '1e3' }, { days: 31 }])
    await expect(say(requestId, less)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect((await requestOf(requestId)).state).toBe('pending')
  await say(requestId, { amount: '2.5', days: 7 })
  expect((await requestOf(requestId)).state).toBe('adjusted')
  const stored = await here.store.grimoire.get(id, permissionKey(id))
  expect(stored?.body).toMatchObject({ dailyCap: parseUnits('2.5', 6) })
  const { startsAt, expiresAt } = runwaySpan.parse(stored?.body)
  expect(Math.round((expiresAt - startsAt) / 86_400)).toBe(7)
})

it('leaves a large runway pending without explicit confirmation, unless the granted part is small', async () => {
  const [first, second] = [await openResponder(), await openResponder()]
  const large = { dailyCapUsdc: 5, durationDays: 120 }
  const request = await callTool(first.context, requestRunway, { golems: [first.id], ...large })
  expect(request.needsOverride).toBe(true)
  expect(await first.say(request.requestId)).toBeUndefined()
  expect(await first.say(request.requestId, { amount: '1' })).toBeUndefined()
  expect(await first.say(request.requestId, { days: 90 })).toMatchObject({ type: 'granted' })
  expect((await first.requestOf(request.requestId)).state).toBe('adjusted')
  const other = await callTool(second.context, requestRunway, { golems: [second.id], ...large })
  expect(await second.say(other.requestId, {}, true)).toMatchObject({ type: 'granted', override: true })
  expect((await second.requestOf(other.requestId)).state).toBe('approved')
})

it('sends a part of the requested funds', async () => {
  const { context, account, say, requestOf, owner } = await openResponder()
  await here.world.fund(owner.address, { USDC: parseUnits('10', 6), ETH: parseEther('1') })
  const { requestId } = await callTool(context, fund, { token: 'USDC', amount: '8', chain: 'devnet' })
  await expect(say(requestId, { amount: '3', days: 2 })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  const balance = () =>
    here.world.client.readContract({
      address: here.world.addresses.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account],
    })
  const before = await balance()
  await say(requestId, { amount: '3' })
  expect((await balance()) - before).toBe(parseUnits('3', 6))
  expect((await requestOf(requestId)).state).toBe('adjusted')
})

it('signs and sends nothing beyond the signed limits, whatever a database row requests', async () => {
  const { id, say, root, account } = await openResponder()
  const thief = here.world.accounts.stranger
  let forged = 0
  const forge = async (kind: string, body: object) => {
    forged += 1
    const request = `forged-${forged}`
    await here.store.ownerRequests.file({ id: request, golem: id, kind, body: body as Json })
    return request
  }
  const unbounded = { ...root, delegate: thief, caveats: [], signature: '0x' as const }
  const sentence = 'A key for the vault, for at most $5.'
  const key = { type: 'sessionKey', sentence, publicKey: '0x12', label: 'vault', root: unbounded }
  const writer = { firstKey: root.delegate, newWriter: thief }
  const grant = { rotation: 'r', reason: 'suspected', revoke: [], root: unbounded, writer }
  const gift = { type: 'fund', sentence, from: thief, sinceBlock: 0n }
  const { usdc } = here.world.addresses
  const sent = () => here.world.client.getBalance({ address: thief })
  const before = await sent()
  for (const request of [
    await forge('sessionKey', key),
    await forge('grant', grant),
    await forge('fund', { ...gift, to: thief, token: usdc, amount: 1n }),
    await forge('fund', { ...gift, to: thief, token: zeroAddress, amount: parseEther('0.5') }),
  ])
    await expect(say(request)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
  expect(await sent()).toBe(before)
  expect(account).toBe(root.delegator)
})

it('refuses a part of an indivisible request, and a runway without a wallet', async () => {
  const { id, context, say, requestOf, keyOnly } = await openResponder()
  const contract = here.world.addresses.usdcVault
  const { requestId } = await callTool(context, provisionSessionKey, {
    permissions: [{ contract, methods: ['withdraw'], maxAmount: 5, chains: [31_337] }],
    expiry: 3_600,
    label: 'helper',
  })
  await expect(say(requestId, { amount: '1' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  const answer = await keyOnly.answer(await requestOf(requestId))
  expect(answer).toMatchObject({ type: 'delegated' })
  const runway = await callTool(context, requestRunway, { golems: [id], dailyCapUsdc: 1, durationDays: 7 })
  await expect(keyOnly.answer(await requestOf(runway.requestId))).rejects.toMatchObject({
    code: 'UNSUPPORTED_CHAIN',
    message: expect.stringContaining('ERC-7715'),
  })
  const living = await context.open(id)
  await living.rotate('suspected')
  const [grant] = (await here.store.ownerRequests.pending(id)).filter(({ kind }) => kind === 'grant')
  await expect(say(grant?.id, { days: 3 })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(await say(grant?.id)).toMatchObject({ type: 'delegated' })
})

it('signs no runway and sends no gas for a suspected key', async () => {
  const { id, context, requestOf, signer, owner, book, wallet } = await openResponder()
  const runway = await callTool(context, requestRunway, { golems: [id], dailyCapUsdc: 5, durationDays: 30 })
  const gas = await callTool(context, fund, { token: 'ETH', amount: '0.01', chain: 'devnet' })
  await (await context.open(id)).rotate('suspected')
  const recorded = recordingOwner(signer, { store: here.store, book, owner, wallet })
  for (const { requestId } of [runway, gas]) {
    const request = await requestOf(requestId ?? undefined)
    await expect(recorded.responder.answer(request)).rejects.toMatchObject({
      code: 'STEP_OUT_OF_ORDER',
      message: expect.stringContaining('suspected'),
      remedy: expect.stringContaining('bardo requests'),
    })
  }
  expect(recorded).toMatchObject({ signed: [], sent: [], asked: [] })
})
