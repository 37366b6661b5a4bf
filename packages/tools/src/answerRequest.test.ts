import { revoke } from '@bardo/chain'
import { hashDelegation, signDelegation } from '@bardo/core'
import { answerRequest, createDevnetOwner, readGrantRequest } from '@bardo/golem/requests'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openOwnerWorld } from './testing/ownerWorld.ts'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
let golem: Awaited<ReturnType<typeof here.summon>>

beforeAll(async () => {
  here = await openOwnerWorld()
  golem = await here.summon()
})
afterAll(() => here[Symbol.asyncDispose]())

const refused = { type: 'refused' } as const

it('refuses an answer to an unknown request, and an answer of another kind', async () => {
  const { context, owner, id } = golem
  const answer = (request: string, type: 'refused' | 'revoked') =>
    answerRequest(context, request, owner.address, { type })
  await expect(answer('nothing', 'refused')).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  const body = {
    type: 'fund',
    sentence: 'x',
    from: owner.address,
    to: owner.address,
    token: owner.address,
    amount: 1n,
  }
  await here.store.ownerRequests.file({ id: 'f', golem: id, kind: 'fund', body })
  await expect(answer('f', 'revoked')).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await here.store.ownerRequests.file({ id: 'g', golem: id, kind: 'policy', body })
  await expect(answer('g', 'revoked')).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(await answer('f', 'refused')).toBe(true)
  const late = { id: 'late', golem: id, kind: 'fund', body, expiresAt: Date.now() - 1 }
  await here.store.ownerRequests.file(late)
  expect(await answer('late', 'refused')).toBe(false)
})

it('accepts the grant that a rotation requested, and no other answer', async () => {
  const lost = await here.summon()
  await (await lost.context.open(lost.id)).rotate('suspected')
  const [request] = await here.store.ownerRequests.pending(lost.id)
  if (!request) throw new Error('no request was filed')
  const { root } = readGrantRequest(request)
  const answer = (reply: Parameters<typeof answerRequest>[3]) =>
    answerRequest(lost.context, request.id, lost.owner.address, reply)
  await expect(answer({ type: 'revoked' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  const other = await signDelegation(lost.signer.account, { ...root, caveats: [] })
  await expect(answer({ type: 'delegated', delegation: other })).rejects.toMatchObject({
    code: 'GRANT_MALFORMED',
  })
  const delegation = await signDelegation(lost.signer.account, root)
  expect(await answer({ type: 'delegated', delegation })).toBe(true)
})

it('accepts a revocation once the chain confirms it', async () => {
  const { context, owner, id, signer } = golem
  const [stored] = await here.store.delegations.list(id)
  if (!stored) throw new Error('no delegation is stored')
  const body = { because: 'x', delegations: [hashDelegation(stored.delegation)] }
  for (const name of ['r1', 'r2'])
    await here.store.ownerRequests.file({ id: name, golem: id, kind: 'revoke', body })
  const answer = () => answerRequest(context, 'r1', owner.address, { type: 'revoked' })
  await expect(answer()).rejects.toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
  await revoke(signer, { delegation: stored.delegation, cause: 'owner' })
  expect(await answer()).toBe(true)
  const request = await here.store.ownerRequests.find('r2')
  const responder = await golem.responder()
  expect(request && (await responder.answer(request))).toEqual({ type: 'revoked' })
})

it('refuses an owner responder on any chain but the devnet', async () => {
  const { signer, book, owner, wallet } = golem
  const options = { ...signer, store: here.store, book, owner, wallet }
  const unsupported = { code: 'UNSUPPORTED_CHAIN' }
  const deployment = { ...signer.deployment, chainId: 8453 }
  await expect(createDevnetOwner({ ...options, deployment })).rejects.toMatchObject(unsupported)
  const account = { ...signer.account, chainId: 1 }
  await expect(createDevnetOwner({ ...options, account })).rejects.toMatchObject(unsupported)
  const client = { ...signer.client, getChainId: async () => 8453 }
  await expect(createDevnetOwner({ ...options, client })).rejects.toMatchObject(unsupported)
  expect(await answerRequest(golem.context, 'r2', owner.address, refused)).toBe(true)
})
