import { type Json, permissionKey } from '@bardo/store'
import { erc20Abi, parseEther, parseUnits, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { callTool } from '../tools/callTool.ts'
import { fund } from '../tools/fund.ts'
import { provisionSessionKey } from '../tools/provisionSessionKey.ts'
import { requestRunway } from '../tools/requestRunway.ts'
import { openOwnerWorld } from '../tools/testing/ownerWorld.ts'
import { answerRequest } from './answerRequest.ts'
import { createOwnerSeat } from './createOwnerSeat.ts'
import type { Less } from './lessOf.ts'

const runwaySpan = z.looseObject({ startsAt: z.number(), expiresAt: z.number() })

let here: Awaited<ReturnType<typeof openOwnerWorld>>
beforeAll(async () => {
  here = await openOwnerWorld()
})
afterAll(() => here[Symbol.asyncDispose]())

/** A Golem, its owner, and what the owner says to a request. */
async function seated() {
  const golem = await here.summon()
  const { context, owner, desk, wallet } = golem
  await wallet.upgrade(owner.address)
  const kept = { ...desk, store: here.store, owner }
  const requestOf = async (id: string | undefined) => {
    const request = await here.store.ownerRequests.find(id ?? '')
    if (!request) throw new Error('nothing was asked')
    return request
  }
  return {
    ...golem,
    requestOf,
    keyOnly: createOwnerSeat(kept),
    async say(id: string | undefined, less?: Less, override = false) {
      const request = await requestOf(id)
      const word = await createOwnerSeat({ ...kept, wallet, override }).answer(request, less)
      if (word) await answerRequest(context, request.id, owner.address, word)
      return word
    },
  }
}

it('grants a part of a runway: less a day, and for a shorter time', async () => {
  const { id, context, say, requestOf } = await seated()
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
  const kept = await here.store.grimoire.get(id, permissionKey(id))
  expect(kept?.body).toMatchObject({ dailyCap: parseUnits('2.5', 6) })
  const { startsAt, expiresAt } = runwaySpan.parse(kept?.body)
  expect(Math.round((expiresAt - startsAt) / 86_400)).toBe(7)
})

it('lets a large runway wait for an express word, unless what is granted is small', async () => {
  const [first, second] = [await seated(), await seated()]
  const large = { dailyCapUsdc: 5, durationDays: 120 }
  const asked = await callTool(first.context, requestRunway, { golems: [first.id], ...large })
  expect(asked.needsOverride).toBe(true)
  expect(await first.say(asked.requestId)).toBeUndefined()
  expect(await first.say(asked.requestId, { amount: '1' })).toBeUndefined()
  expect(await first.say(asked.requestId, { days: 90 })).toMatchObject({ is: 'granted' })
  expect((await first.requestOf(asked.requestId)).state).toBe('adjusted')
  const other = await callTool(second.context, requestRunway, { golems: [second.id], ...large })
  expect(await second.say(other.requestId, {}, true)).toMatchObject({ is: 'granted', override: true })
  expect((await second.requestOf(other.requestId)).state).toBe('approved')
})

it('sends a part of the money that was asked for', async () => {
  const { context, account, say, requestOf, owner } = await seated()
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

it('signs and sends nothing beyond what was signed, whatever a row of the database asks for', async () => {
  const { id, say, root, account } = await seated()
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
  const key = { is: 'sessionKey', sentence, publicKey: '0x12', label: 'vault', root: unbounded }
  const writer = { firstKey: root.delegate, newWriter: thief }
  const grant = { rotation: 'r', reason: 'suspected', revoke: [], root: unbounded, writer }
  const gift = { is: 'fund', sentence, from: thief, sinceBlock: 0n }
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

it('takes what has no parts whole, and a runway to a wallet', async () => {
  const { id, context, say, requestOf, keyOnly } = await seated()
  const contract = here.world.addresses.usdcVault
  const { requestId } = await callTool(context, provisionSessionKey, {
    permissions: [{ contract, methods: ['withdraw'], maxAmount: 5, chains: [31_337] }],
    expiry: 3_600,
    label: 'helper',
  })
  await expect(say(requestId, { amount: '1' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  const word = await keyOnly.answer(await requestOf(requestId))
  expect(word).toMatchObject({ is: 'delegated' })
  const runway = await callTool(context, requestRunway, { golems: [id], dailyCapUsdc: 1, durationDays: 7 })
  await expect(keyOnly.answer(await requestOf(runway.requestId))).rejects.toMatchObject({
    code: 'UNSUPPORTED_CHAIN',
    message: expect.stringContaining('ERC-7715'),
  })
  const living = await context.open(id)
  await living.rotate('suspected')
  const [grant] = (await here.store.ownerRequests.pending(id)).filter(({ kind }) => kind === 'grant')
  await expect(say(grant?.id, { days: 3 })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(await say(grant?.id)).toMatchObject({ is: 'delegated' })
})
