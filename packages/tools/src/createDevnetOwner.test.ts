import { isDisabled, resetWriter } from '@bardo/chain'
import { answerRequest, answerUnattended, knownGrants } from '@bardo/golem/requests'
import { permissionKey } from '@bardo/store'
import { activeKey } from '@bardo/wallets'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callTool } from './callTool.ts'
import { getDelegationTree } from './getDelegationTree.ts'
import { listSessionKeys } from './listSessionKeys.ts'
import { provisionSessionKey } from './provisionSessionKey.ts'
import { requestRunway } from './requestRunway.ts'
import { revokePermissions } from './revokePermissions.ts'
import { revokeSessionKey } from './revokeSessionKey.ts'
import { openOwnerWorld } from './testing/ownerWorld.ts'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
beforeAll(async () => {
  here = await openOwnerWorld()
})
afterAll(() => here[Symbol.asyncDispose]())

/** A Golem with an owner responder. */
async function summonWithResponder() {
  const golem = await here.summon()
  const context = { ...golem.context, owner: await golem.responder() }
  const living = await context.open(golem.id)
  await living.tick()
  return { ...golem, context, living }
}
const additionalKey = () => ({
  permissions: [
    {
      contract: here.world.addresses.usdcVault,
      methods: ['withdraw'],
      maxAmount: 5,
      chains: [31_337],
    },
  ],
  expiry: 3_600,
  label: 'vault helper',
})

it('grants a new key for a lost one in the safe order, without a person', async () => {
  const { id, living, context, account } = await summonWithResponder()
  const before = await activeKey(here.store, id)
  await living.rotate('suspected')
  expect(await answerUnattended({ ...context, owner: undefined as never }, id)).toEqual([])
  expect(await answerUnattended(context, id)).toHaveLength(1)
  expect(await living.tick()).toMatchObject({ state: { recovery: { type: 'acting' } } })
  const after = await activeKey(here.store, id)
  expect(after?.address).not.toBe(before?.address)
  const [old] = await knownGrants(here.store, id)
  expect(old && (await isDisabled(context, old.delegation))).toBe(true)
  expect(account).toBeDefined()
  expect(await here.store.ownerRequests.pending(id)).toEqual([])
})

it('sets the active key as the writer again if the chain names another', async () => {
  const { id, living, context, signer, owner } = await summonWithResponder()
  const key = await activeKey(here.store, id)
  if (!key) throw new Error('there is no key')
  const stranger = here.world.accounts.stranger
  await resetWriter(signer, { firstKey: key.address, newWriter: stranger })
  expect(await living.tick()).toMatchObject({ state: { recovery: { reason: 'keyRefused' } } })
  const [request] = await here.store.ownerRequests.pending(id)
  expect(request?.kind).toBe('redelegate')
  // The answer alone is not enough.
  await expect(
    answerRequest(context, request?.id ?? '', owner.address, { type: 'renamed' }),
  ).rejects.toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
  expect(await answerUnattended(context, id)).toEqual([request?.id])
  expect(await living.tick()).toMatchObject({ state: { recovery: { type: 'acting' } } })
})

it('disables all delegations, the runway and additional keys included, and the tools report it', async () => {
  const { id, context, wallet, owner } = await summonWithResponder()
  await wallet.upgrade(owner.address)
  await here.world.fund(owner.address, { USDC: parseUnits('10', 6) })
  await callTool(context, requestRunway, { golems: [id], dailyCapUsdc: 1, durationDays: 7 })
  const first = await callTool(context, provisionSessionKey, additionalKey())
  const second = await callTool(context, provisionSessionKey, additionalKey())
  const { keys } = await callTool(context, listSessionKeys, {})
  expect(keys.map(({ status, label }) => [status, label])).toEqual([
    ['active', null],
    ['granted', 'vault helper'],
    ['granted', 'vault helper'],
  ])
  expect(keys.at(1)).toMatchObject({ keyId: first.keyId, expiresAt: first.expiresAt })
  expect(keys.at(1)?.permissions.join()).toContain('$5')

  const { text } = await callTool(context, getDelegationTree, {})
  for (const { address } of keys) expect(text).toContain(address.toLowerCase())

  const revoked = await callTool(context, revokeSessionKey, { keyIds: [first.keyId] })
  expect(revoked).toMatchObject({
    wiped: [first.keyId],
    revokedOnChain: true,
    ownerRequests: [],
    activeKeys: 1,
  })
  const grantStates = async () =>
    Promise.all(
      (await knownGrants(here.store, id)).map(async ({ of, delegation }) => [
        of,
        delegation.delegate === second.address || of !== 'sessionKey',
        await isDisabled(context, delegation),
      ]),
    )
  expect(await grantStates()).toEqual([
    ['golem', true, false],
    expect.arrayContaining(['sessionKey']),
    expect.arrayContaining(['sessionKey']),
    ['runway', true, false],
    ['feed', true, false],
  ])
  expect((await grantStates()).filter(([of, , is]) => of === 'sessionKey' && is)).toHaveLength(1)

  const ended = await callTool(context, revokePermissions, { reason: 'owner_kill_switch' })
  expect(ended).toMatchObject({ revokedCount: 4, disabledOnChain: true, ownerRequests: [] })
  expect((await grantStates()).filter(([, , is]) => !is).map(([of]) => of)).toEqual(['feed'])
  expect(await here.store.grimoire.get(id, permissionKey(id))).toBeDefined()
})
