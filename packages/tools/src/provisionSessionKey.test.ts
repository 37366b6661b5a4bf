import { cage, decodeContext, hashDelegation, signDelegation } from '@bardo/core'
import { createGolem } from '@bardo/golem/heartbeat'
import {
  answerRequest,
  answerUnattended,
  expireRequests,
  readOwnerAsk,
  sessionKeyEntry,
} from '@bardo/golem/requests'
import { partsOf } from '@bardo/golem/testing/golemWorld'
import { sealedKeySource } from '@bardo/wallets'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { callTool } from './callTool.ts'
import { provisionSessionKey } from './provisionSessionKey.ts'
import { revokeSessionKey } from './revokeSessionKey.ts'
import { footprintOf, openOwnerWorld } from './testing/ownerWorld.ts'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
let golem: Awaited<ReturnType<typeof here.summon>>

beforeAll(async () => {
  here = await openOwnerWorld()
  golem = await here.summon()
})
afterAll(() => here[Symbol.asyncDispose]())

const vault = (methods: readonly string[] = ['deposit', 'withdraw'], maxAmount = 20) => ({
  contract: here.world.addresses.usdcVault,
  methods,
  maxAmount,
  chains: [31_337],
})
const call = (changes: Record<string, unknown> = {}, context = golem.context) =>
  callTool(context, provisionSessionKey, { permissions: [vault()], expiry: 86_400, ...changes })
const keyAsk = async (id: string) => {
  const request = await here.store.ownerRequests.find(id)
  const ask = request && readOwnerAsk(request)
  if (ask?.type !== 'sessionKey') throw new Error('no session key request was filed')
  return ask
}

it('creates one sealed key per idempotency key, and asks the owner for a part of the signed delegation', async () => {
  const input = { idempotencyKey: 'one', label: 'vault helper' }
  const pending = await call(input)
  expect(await call(input)).toEqual(pending)
  const newKeys = (await here.store.sessionKeys.list(golem.id)).filter(({ status }) => status === 'made')
  expect(newKeys).toMatchObject([{ publicKey: pending.keyId, sealed: { version: 1 } }])
  const { root, sentence } = await keyAsk(pending.requestId)
  expect(sentence).toContain('vault helper')
  expect(sentence).toContain('which can call only deposit, withdraw')
  const terms = cage.decode(root.caveats[0]?.terms ?? '0x')
  expect(terms.mandate.targets.map(({ address }) => address.toLowerCase())).toEqual([
    here.world.addresses.usdcVault.toLowerCase(),
  ])
  expect(Math.max(...terms.dollarsByPhase)).toBe(20)
  expect(terms.golem).toBe(golem.id)
  // The Golem keeps using its own key.
  expect((await (await golem.context.open(golem.id)).status()).permission.links[0].delegate).not.toBe(
    pending.address,
  )
})

it('accepts a narrower delegation, and none that is wider, by another signer or for another key', async () => {
  const { requestId: id, keyId } = await call()
  const { root } = await keyAsk(id)
  const [caveat] = root.caveats
  if (!caveat) throw new Error('there is no Cage')
  const terms = cage.decode(caveat.terms)
  const signed = async (changed: typeof terms, delegate = root.delegate) => {
    const caveats = [{ ...caveat, terms: cage.encode(changed) }]
    return signDelegation(golem.signer.account, { ...root, caveats, delegate })
  }
  const answer = (delegation: Awaited<ReturnType<typeof signed>>) =>
    answerRequest(golem.context, id, golem.owner.address, { type: 'delegated', delegation })
  const malformed = { code: 'GRANT_MALFORMED' }
  await expect(answer(await signed({ ...terms, end: terms.end + 1 }))).rejects.toMatchObject(malformed)
  await expect(answer(await signed({ ...terms, dayCents: terms.dayCents + 1n }))).rejects.toMatchObject(
    malformed,
  )
  await expect(answer(await signed(terms, golem.owner.address))).rejects.toMatchObject(malformed)
  const bare = await signDelegation(golem.signer.account, { ...root, caveats: [] })
  await expect(answer(bare)).rejects.toMatchObject(malformed)
  const stranger = await here.summon()
  const forged = { ...root, signature: (await signDelegation(stranger.signer.account, root)).signature }
  await expect(answer(forged)).rejects.toMatchObject(malformed)
  expect(await here.store.grimoire.get(golem.id, sessionKeyEntry(keyId))).toBeUndefined()

  const narrower = await signed({ ...terms, end: terms.end - 60 })
  expect(await answer(narrower)).toBe(true)
  expect(await here.store.ownerRequests.find(id)).toMatchObject({ state: 'adjusted' })
  const entry = await here.store.grimoire.get(golem.id, sessionKeyEntry(keyId))
  const body = z.looseObject({ context: z.templateLiteral(['0x', z.string()]) }).parse(entry?.body)
  expect(decodeContext(body.context).map((link) => hashDelegation(link))).toEqual([hashDelegation(narrower)])
})

it('is done if an owner responder answers; a refusal or a timeout wipes the key', async () => {
  const context = { ...golem.context, owner: await golem.responder() }
  const done = await call({}, context)
  expect(done.status).toBe('done')
  const refusing = { address: golem.owner.address, answer: async () => ({ type: 'refused' }) as const }
  await expect(call({}, { ...golem.context, owner: refusing })).rejects.toMatchObject({
    code: 'USER_REJECTED',
  })
  const late = await here.summon()
  const yesterday = { ...late.context.clock, now: () => Date.now() - 86_400_001 }
  expect(await call({}, { ...late.context, clock: yesterday })).toMatchObject({ status: 'pending' })
  expect(await expireRequests(here.store)).toBe(1)
  for (const id of [golem.id, late.id]) {
    const statuses = (await here.store.sessionKeys.list(id)).map(({ status }) => status)
    expect(statuses).toContain('wiped')
  }
})

it('does not touch an additional key when the Golem’s own is lost and recovered', async () => {
  const other = await here.summon()
  const context = { ...other.context, owner: await other.responder() }
  const done = await call({}, context)
  const parts = partsOf(here.world, here.store, other.id)
  const secret = { kind: 'operator', secret: new Uint8Array(32).fill(9) } as const
  const stranger = await createGolem({
    ...parts,
    keys: sealedKeySource({ store: here.store, golem: other.id, secret, chainId: here.world.chainId }),
  })
  expect(await stranger.tick()).toMatchObject({ state: { recovery: { reason: 'keyLost' } } })
  const living = await createGolem(parts)
  expect(await living.tick()).toMatchObject({ state: { recovery: { type: 'acting' } } })
  const keys = await here.store.sessionKeys.list(other.id)
  expect(keys.map(({ status }) => status)).toEqual(['active', 'made', 'wiped'])
  expect(keys.at(1)).toMatchObject({ publicKey: done.keyId, sealed: { version: 1 } })
})

it('does not touch an additional key when the Golem’s own is wiped and replaced', async () => {
  const other = await here.summon()
  const context = { ...other.context, owner: await other.responder() }
  const { keyId } = await call({}, context)
  const [own] = await here.store.sessionKeys.list(other.id)
  await callTool(other.context, revokeSessionKey, { keyIds: [own?.publicKey] })
  const living = await createGolem(partsOf(here.world, here.store, other.id))
  expect(await living.tick()).toMatchObject({ state: { recovery: { reason: 'keyLost' } } })
  await answerUnattended(context, other.id)
  expect(await living.tick()).toMatchObject({ state: { recovery: { type: 'acting' } } })
  const keys = await here.store.sessionKeys.list(other.id)
  expect(keys.map(({ status }) => status)).toEqual(['wiped', 'made', 'active'])
  expect(keys.at(1)).toMatchObject({ publicKey: keyId, sealed: { version: 1 } })
})

it('refuses more than 30 days, unsigned contracts and methods, differing methods for one kind, another chain', async () => {
  const before = await footprintOf(here.store, golem.id)
  const invalid = { code: 'INVALID_INPUT' }
  const refused = { code: 'ACTION_NOT_ALLOWED' }
  await expect(call({ expiry: 2_592_001 })).rejects.toMatchObject(invalid)
  await expect(call({ permissions: [{ ...vault(), contract: golem.account }] })).rejects.toMatchObject(
    refused,
  )
  await expect(call({ permissions: [vault(['mintPosition'])] })).rejects.toMatchObject(refused)
  await expect(call({ permissions: [vault(), vault(['deposit'])] })).rejects.toMatchObject(invalid)
  await expect(call({ permissions: [vault(), vault()] })).rejects.toMatchObject(invalid)
  await expect(call({ permissions: [{ ...vault(), chains: [1] }] })).rejects.toMatchObject({
    code: 'UNSUPPORTED_CHAIN',
  })
  expect(await footprintOf(here.store, golem.id)).toEqual(before)
})

it('limits keys of a cautious Golem to closing and a week, and refuses them when declining', async () => {
  const old = await here.summon()
  const ask = (methods: readonly string[], expiry: number) =>
    call({ permissions: [vault(methods)], expiry }, old.context)
  for (const phase of ['stable', 'conservation'] as const) {
    await here.age(old.id, phase)
    expect(await ask(['withdraw'], 604_800)).toMatchObject({ status: 'pending' })
    await expect(ask(['withdraw'], 604_801)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    await expect(ask(['deposit'], 60)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
  }
  await here.age(old.id, 'declining')
  await expect(ask(['withdraw'], 60)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
  await here.age(old.id, 'terminal')
  await expect(ask(['withdraw'], 60)).rejects.toMatchObject({ code: 'GOLEM_DYING' })
})
