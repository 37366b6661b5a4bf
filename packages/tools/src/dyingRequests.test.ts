import { isDisabled } from '@bardo/chain'
import { answerRequest, answerUnattended } from '@bardo/golem/requests'
import { recordingOwner } from '@bardo/golem/testing/recordingOwner'
import { activeKey } from '@bardo/wallets'
import { getAddress, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callTool } from './callTool.ts'
import { configurePolicy } from './configurePolicy.ts'
import { fund } from './fund.ts'
import { migrate } from './migrate.ts'
import { provisionSessionKey } from './provisionSessionKey.ts'
import { requestRunway } from './requestRunway.ts'
import { revokePermissions } from './revokePermissions.ts'
import { openOwnerWorld } from './testing/ownerWorld.ts'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
beforeAll(async () => {
  here = await openOwnerWorld()
})
afterAll(() => here[Symbol.asyncDispose]())

type Summoned = Awaited<ReturnType<typeof here.summon>>

/** Files one request of each kind that tools can file. */
async function askForEverything({ id, context, owner, wallet }: Summoned) {
  await wallet.upgrade(owner.address)
  await here.world.fund(owner.address, { USDC: parseUnits('10', 6) })
  await callTool(context, fund, { token: 'ETH', amount: '0.05', chain: 'devnet' })
  await callTool(context, fund, { token: 'USDC', amount: '5', chain: 'devnet' })
  await callTool(context, requestRunway, { golems: [id], dailyCapUsdc: 1, durationDays: 7 })
  const contract = here.world.addresses.usdcVault
  await callTool(context, provisionSessionKey, {
    permissions: [{ contract, methods: ['withdraw'], maxAmount: 5, chains: [31_337] }],
    expiry: 3_600,
    label: 'helper',
  })
  await callTool(context, configurePolicy, { policyTemplate: 'read-only' })
  await callTool(context, configurePolicy, { policyTemplate: 'vault-manager' })
  await callTool(context, migrate, { destinationWallet: owner.address, chain: 'devnet' })
  const body = { because: 'the chain refuses the key' }
  await here.store.ownerRequests.file({ id: `${id}:redelegate`, golem: id, kind: 'redelegate', body })
}

function withRecordingOwner(golem: Summoned) {
  const { signer, book, owner, wallet } = golem
  const recording = recordingOwner(signer, { store: here.store, book, owner, wallet })
  return { ...recording, context: { ...golem.context, owner: recording.responder } }
}

const nameOf = ({ name }: { readonly name: string }) => name

it('signs and sends nothing but the revocation when a Golem is killed with a request of every kind pending', async () => {
  const golem = await here.summon()
  const { id, owner } = golem
  const key = await activeKey(here.store, id)
  await askForEverything(golem)
  const pending = await here.store.ownerRequests.pending(id)
  expect(new Set(pending.map(({ kind }) => kind))).toEqual(
    new Set(['fund', 'runway', 'sessionKey', 'policy', 'permit', 'redelegate']),
  )
  const { context, signed, sent, asked, responder } = withRecordingOwner(golem)
  const ended = await callTool(context, revokePermissions, { reason: 'owner_kill_switch' })
  expect(ended).toMatchObject({ sessionAccountInvalidated: true, disabledOnChain: true, ownerRequests: [] })

  const manager = golem.signer.deployment.framework.DelegationManager
  expect(sent.map(({ to, value = 0n }) => [getAddress(to), value])).toEqual([[manager, 0n]])
  // Only the veto: to the owner's own key, for the DelegationManager.
  expect(signed.map(({ primaryType, message }) => [primaryType, message['delegate']])).toEqual([
    ['Delegation', owner.address],
  ])
  expect(asked).toEqual([])
  expect(await here.world.client.getBalance({ address: key?.address ?? owner.address })).toBe(0n)

  for (const request of pending) {
    const after = await here.store.ownerRequests.find(request.id)
    expect(after).toMatchObject({ state: 'withdrawn' })
    await expect(responder.answer(request)).rejects.toMatchObject({ code: 'GOLEM_DYING' })
    expect(await answerRequest(context, request.id, owner.address, { type: 'refused' })).toBe(false)
  }
  expect(sent).toHaveLength(1)
  const events = await here.store.events.read({ after: 0, golem: id, limit: 1_000 })
  expect(events.map(nameOf).filter((name) => name === 'owner.requestWithdrawn')).toHaveLength(pending.length)
  expect(await here.store.audit.verify()).toMatchObject({ type: 'intact' })
})

it('revokes the delegation of a lost key, and signs no new one, when a Golem is killed with a grant pending', async () => {
  const golem = await here.summon()
  const { id, root } = golem
  await (await golem.context.open(id)).rotate('suspected')
  const [grant] = await here.store.ownerRequests.pending(id)
  expect(grant?.kind).toBe('grant')
  const { context, signed, responder } = withRecordingOwner(golem)
  await callTool(context, revokePermissions, { reason: 'owner_kill_switch' })
  expect(await isDisabled(context, root)).toBe(true)
  expect(signed.filter(({ message }) => message['delegate'] !== golem.owner.address)).toEqual([])
  expect((await here.store.ownerRequests.find(grant?.id ?? ''))?.state).toBe('withdrawn')
  if (grant) await expect(responder.answer(grant)).rejects.toMatchObject({ code: 'GOLEM_DYING' })
})

it('refuses to approve a request that was filed at the moment of death, and withdraws it', async () => {
  const golem = await here.summon()
  const { id, owner } = golem
  const living = await golem.context.open(id)
  await living.beginDeath('killSwitch')
  const filing = callTool(golem.context, fund, { token: 'ETH', amount: '0.01', chain: 'devnet' })
  await expect(filing).rejects.toMatchObject({ code: 'GOLEM_DYING' })
  // The state after a transaction that began before the death and ended after it.
  const [key, sinceBlock] = [await activeKey(here.store, id), await here.world.client.getBlockNumber()]
  const body = {
    type: 'fund',
    sentence: '',
    from: owner.address,
    to: key?.address ?? '0x',
    token: '0x0000000000000000000000000000000000000000',
    amount: 1n,
    sinceBlock,
  }
  await here.store.ownerRequests.file({ id: `${id}:late`, golem: id, kind: 'fund', body })
  const { context, sent } = withRecordingOwner(golem)
  expect(await answerUnattended(context, id)).toEqual([])
  const transaction = await here.world.client.sendTransaction({
    account: owner,
    to: key?.address ?? null,
    value: 1n,
  })
  await here.world.client.waitForTransactionReceipt({ hash: transaction })
  const answer = answerRequest(context, `${id}:late`, owner.address, { type: 'sent', transaction })
  await expect(answer).rejects.toMatchObject({ code: 'GOLEM_DYING' })
  await living.tick()
  expect((await here.store.ownerRequests.find(`${id}:late`))?.state).toBe('withdrawn')
  expect(sent).toEqual([])
})

it('grants no runway to a Golem that died after a sibling’s request named it', async () => {
  const first = await here.summon()
  const second = await here.summon(undefined, undefined, first.owner)
  await first.wallet.upgrade(first.owner.address)
  const input = { golems: [first.id, second.id], dailyCapUsdc: 1, durationDays: 7 }
  const { requestId } = await callTool(first.context, requestRunway, input)
  await (await second.context.open(second.id)).kill()
  const { responder, asked, signed } = withRecordingOwner(first)
  const request = await here.store.ownerRequests.find(requestId)
  if (!request) throw new Error('no request was filed')
  await expect(responder.answer(request)).rejects.toMatchObject({ code: 'GOLEM_DYING' })
  expect([asked, signed]).toEqual([[], []])
})
