import { actionPermitTypedData } from '@bardo/core'
import { readWalletPolicy, walletPolicyHash } from '@bardo/golem/action'
import { answerRequest, readOwnerAsk } from '@bardo/golem/requests'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callTool } from './callTool.ts'
import { configurePolicy } from './configurePolicy.ts'
import { getStatus } from './getStatus.ts'
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
async function policyAsk(id: string) {
  const request = await here.store.ownerRequests.find(id)
  const ask = request && readOwnerAsk(request)
  if (ask?.type !== 'policy') throw new Error('no policy request was filed')
  return ask
}

it('narrows the policy at once, for the Golem’s own heartbeat too', async () => {
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

it('lets the heartbeat act with the defi-trading template', async () => {
  const golem = await here.summon(undefined, buying)
  await take(golem, 'defi-trading')
  await (await golem.context.open(golem.id)).tick()
  const events = await here.store.events.read({ after: 0, golem: golem.id })
  expect(events.map(({ name }) => name)).toContain('action.landed')
})

it('widens only by the owner’s signature, never beyond the request, and not after the policy changed', async () => {
  const golem = await here.summon()
  await take(golem, 'read-only')
  const pending = await take(golem, 'vault-manager')
  expect(pending).toMatchObject({ status: 'pending', appliedPolicy: expect.stringContaining('read-only') })
  const id = pending.requestId ?? ''
  const { after, permit, account } = await policyAsk(id)
  const { chainId } = golem.context.deployment
  const sign = (by: Summoned, policy: typeof after) =>
    by.owner.signTypedData(
      actionPermitTypedData({ ...permit, action: walletPolicyHash(policy) }, chainId, account),
    )
  const answer = (signature: `0x${string}`, policy?: typeof after) =>
    answerRequest(golem.context, id, golem.owner.address, {
      type: 'permitted',
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
  const next = await policyAsk(stale.requestId ?? '')
  await take(golem, 'read-only')
  const signature = await golem.owner.signTypedData(actionPermitTypedData(next.permit, chainId, next.account))
  const late = answerRequest(golem.context, stale.requestId ?? '', golem.owner.address, {
    type: 'permitted',
    signature,
  })
  await expect(late).rejects.toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
  expect(await readWalletPolicy(here.store, golem.id)).toMatchObject({ template: 'read-only' })
  expect(await here.store.ownerRequests.find(stale.requestId ?? '')).toMatchObject({ state: 'pending' })
})

it('keeps every policy that was in force, and counts the latest', async () => {
  const golem = await here.summon()
  const context = { ...golem.context, owner: await golem.responder() }
  const templates = ['vault-manager', 'read-only', 'vault-participant'] as const
  for (const policyTemplate of templates)
    expect(await callTool(context, configurePolicy, { policyTemplate })).toMatchObject({ status: 'done' })
  // The same policy again is not another entry.
  await callTool(context, configurePolicy, { policyTemplate: 'vault-participant' })
  const { policyHistory, activePolicy } = await callTool(context, getStatus, {})
  expect(policyHistory.map(({ policy }) => policy.split(':')[0])).toEqual(templates)
  expect(policyHistory.at(-1)?.policy).toBe(activePolicy)
  const times = policyHistory.map(({ at }) => at)
  expect(times).toEqual(times.toSorted((one, other) => one - other))
})

it('applies a wider policy at once if an owner responder answers', async () => {
  const golem = await here.summon()
  await take(golem, 'read-only')
  const context = { ...golem.context, owner: await golem.responder() }
  const done = await callTool(context, configurePolicy, { policyTemplate: 'vault-participant' })
  expect(done).toMatchObject({ status: 'done', appliedPolicy: expect.stringContaining('vault-participant') })
})

it('accepts a custom policy only within the signed delegation', async () => {
  const golem = await here.summon()
  const set = (input: unknown) => callTool(golem.context, configurePolicy, input)
  const before = await footprintOf(here.store, golem.id)
  const unsigned = custom({ allowedContracts: [here.world.addresses.usdc] })
  await expect(set(unsigned)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
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

it('allows only the listed methods, and the approvals that they need', async () => {
  const golem = await here.summon()
  const { usdcVault, swapRouter02 } = here.world.addresses
  const [deposit, nothing] = [['0x6e553f65'], [] as string[]]
  const allowed = { allowedContracts: [usdcVault, swapRouter02] }
  const set = (methodRestrictions: string[]) =>
    callTool(golem.context, configurePolicy, custom({ ...allowed, methodRestrictions }))
  expect(await set(deposit)).toMatchObject({ status: 'done' })
  const living = await golem.context.open(golem.id)
  await living.tick()
  const because = 'a test'
  const { capabilityId } = await living.preview({ type: 'deposit', asset: 'USDC', cents: 500n, because })
  expect(await living.commit(capabilityId, `${golem.id}:deposit`)).toMatchObject({ spentCents: 500n })
  const swap = living.preview({ type: 'swap', from: 'USDC', to: 'WETH', cents: 500n, because })
  await expect(swap).rejects.toMatchObject({
    code: 'ACTION_NOT_ALLOWED',
    shortMessage: 'The wallet policy does not allow a method of this action.',
  })
  expect(await set(nothing)).toMatchObject({ status: 'done' })
  const none = living.preview({ type: 'deposit', asset: 'USDC', cents: 500n, because })
  await expect(none).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
})

it('only narrows policies in later phases', async () => {
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
