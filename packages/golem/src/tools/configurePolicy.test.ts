import { actionPermitTypedData } from '@bardo/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerRequest } from '../owner/answerRequest.ts'
import { readOwnerAsk } from '../owner/ownerRequest.ts'
import { readWalletPolicy, walletPolicyHash } from '../owner/walletPolicy.ts'
import { callTool } from './callTool.ts'
import { configurePolicy } from './configurePolicy.ts'
import { footprintOf, openOwnerWorld } from './testing/ownerWorld.ts'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
type Summoned = Awaited<ReturnType<typeof here.summon>>

beforeAll(async () => {
  here = await openOwnerWorld()
})
afterAll(() => here[Symbol.asyncDispose]())

const buying = 'Buy WETH with USDC, $100 every day. At most $300 a day.'
const take = ({ context }: Summoned, policyTemplate: string) =>
  callTool(context, configurePolicy, { policyTemplate })
const custom = (changes: Record<string, unknown> = {}) => ({
  customPolicy: {
    allowedContracts: [here.world.addresses.usdcVault],
    spendingLimits: { perActionUsd: 5, actionsPerHour: 2 },
    chainRestrictions: ['devnet'],
    ...changes,
  },
})
async function asked(id: string) {
  const request = await here.store.ownerRequests.find(id)
  const ask = request && readOwnerAsk(request)
  if (ask?.is !== 'policy') throw new Error('no policy was asked for')
  return ask
}

it('narrows at once, and what it narrows the Golem’s own heartbeat keeps to', async () => {
  const golem = await here.summon(undefined, buying)
  expect(await take(golem, 'read-only')).toMatchObject({ status: 'done', requestId: null, wider: [] })
  const { spent } = (await (await golem.context.open(golem.id)).look()).day
  await (await golem.context.open(golem.id)).tick()
  const events = await here.store.events.read({ after: 0, golem: golem.id })
  expect(events.filter(({ name }) => name === 'action.landed')).toEqual([])
  expect(events.find(({ name }) => name === 'action.refused')?.body).toMatchObject({
    failure: { code: 'ACTION_NOT_ALLOWED' },
  })
  expect((await (await golem.context.open(golem.id)).look()).day.spent).toBe(spent)
})

it('lets the heartbeat act with the template for trading', async () => {
  const golem = await here.summon(undefined, buying)
  await take(golem, 'defi-trading')
  await (await golem.context.open(golem.id)).tick()
  const events = await here.store.events.read({ after: 0, golem: golem.id })
  expect(events.map(({ name }) => name)).toContain('action.landed')
})

it('widens by the owner’s signature alone, never beyond what was asked, and not once it has changed', async () => {
  const golem = await here.summon()
  await take(golem, 'read-only')
  const pending = await take(golem, 'vault-manager')
  expect(pending).toMatchObject({ status: 'pending', appliedPolicy: expect.stringContaining('read-only') })
  const id = pending.requestId ?? ''
  const { after, permit, account } = await asked(id)
  const { chainId } = golem.context.deployment
  const sign = (by: Summoned, policy: typeof after) =>
    by.owner.signTypedData(
      actionPermitTypedData({ ...permit, action: walletPolicyHash(policy) }, chainId, account),
    )
  const answer = (signature: `0x${string}`, policy?: typeof after) =>
    answerRequest(golem.context, id, golem.owner.address, {
      is: 'permitted',
      signature,
      ...(policy && { policy }),
    })
  const malformed = { code: 'GRANT_MALFORMED' }
  const stranger = await here.summon()
  await expect(answer(await sign(stranger, after))).rejects.toMatchObject(malformed)
  const more = { ...after, maxValueCents: after.maxValueCents + 1n }
  await expect(answer(await sign(golem, more), more)).rejects.toMatchObject(malformed)
  const less = { ...after, maxValueCents: 100n }
  await expect(answer(await sign(golem, after), less)).rejects.toMatchObject(malformed)
  expect(await readWalletPolicy(here.store, golem.id)).toMatchObject({ template: 'read-only' })
  expect(await answer(await sign(golem, less), less)).toBe(true)
  expect(await here.store.ownerRequests.find(id)).toMatchObject({ state: 'adjusted' })
  expect(await readWalletPolicy(here.store, golem.id)).toEqual(less)

  const stale = await take(golem, 'vault-manager')
  const next = await asked(stale.requestId ?? '')
  await take(golem, 'read-only')
  const signature = await golem.owner.signTypedData(actionPermitTypedData(next.permit, chainId, next.account))
  const late = answerRequest(golem.context, stale.requestId ?? '', golem.owner.address, {
    is: 'permitted',
    signature,
  })
  await expect(late).rejects.toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
  expect(await readWalletPolicy(here.store, golem.id)).toMatchObject({ template: 'read-only' })
  expect(await here.store.ownerRequests.find(stale.requestId ?? '')).toMatchObject({ state: 'pending' })
})

it('is finished where the devnet’s owner answers', async () => {
  const golem = await here.summon()
  await take(golem, 'read-only')
  const context = { ...golem.context, owner: await golem.seat() }
  const done = await callTool(context, configurePolicy, { policyTemplate: 'vault-participant' })
  expect(done).toMatchObject({ status: 'done', appliedPolicy: expect.stringContaining('vault-participant') })
})

it('takes a policy of one’s own within what was signed, and no other', async () => {
  const golem = await here.summon()
  const set = (input: unknown) => callTool(golem.context, configurePolicy, input)
  const before = await footprintOf(here.store, golem.id)
  const strange = custom({ allowedContracts: [here.world.addresses.usdc] })
  await expect(set(strange)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
  await expect(set(custom({ chainRestrictions: ['base'] }))).rejects.toMatchObject({
    code: 'UNSUPPORTED_CHAIN',
  })
  for (const wrong of [{}, { ...custom(), policyTemplate: 'read-only' }])
    await expect(set(wrong)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(await footprintOf(here.store, golem.id)).toEqual(before)
  expect(await set(custom({ methodRestrictions: ['0x6E553F65'] }))).toMatchObject({ status: 'done' })
  expect(await readWalletPolicy(here.store, golem.id)).toMatchObject({
    methods: ['0x6e553f65'],
    maxValueCents: 500n,
  })
  expect(await set(custom())).toMatchObject({
    status: 'pending',
    wider: [expect.stringContaining('any method')],
  })
})

it('only tightens as life runs out', async () => {
  const golem = await here.summon()
  const refused = { code: 'ACTION_NOT_ALLOWED' }
  for (const phase of ['stable', 'conservation'] as const) {
    await here.age(golem.id, phase)
    expect(await take(golem, 'vault-participant')).toMatchObject({ status: 'done' })
    await expect(take(golem, 'vault-manager')).rejects.toMatchObject(refused)
  }
  await here.age(golem.id, 'declining')
  await expect(take(golem, 'vault-participant')).rejects.toMatchObject(refused)
  expect(await take(golem, 'read-only')).toMatchObject({ status: 'done' })
  await here.age(golem.id, 'terminal')
  await expect(take(golem, 'read-only')).rejects.toMatchObject({ code: 'GOLEM_DYING' })
})
