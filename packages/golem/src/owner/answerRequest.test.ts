import { revoke, signDelegation } from '@bardo/chain'
import { hashDelegation } from '@bardo/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readGrantRequest } from '../runtime/grantRequest.ts'
import { openOwnerWorld } from '../tools/testing/ownerWorld.ts'
import { answerRequest } from './answerRequest.ts'
import { createDevnetOwner } from './createDevnetOwner.ts'

let here: Awaited<ReturnType<typeof openOwnerWorld>>
let golem: Awaited<ReturnType<typeof here.summon>>

beforeAll(async () => {
  here = await openOwnerWorld()
  golem = await here.summon()
})
afterAll(() => here[Symbol.asyncDispose]())

const refused = { is: 'refused' } as const

it('knows no request that was not filed, and takes no answer of another kind', async () => {
  const { context, owner, id } = golem
  const answer = (request: string, is: 'refused' | 'revoked') =>
    answerRequest(context, request, owner.address, { is })
  await expect(answer('nothing', 'refused')).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  const body = {
    is: 'fund',
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

it('takes the grant that a rotation asked for, and no other answer to it', async () => {
  const lost = await here.summon()
  await (await lost.context.open(lost.id)).rotate('suspected')
  const [request] = await here.store.ownerRequests.pending(lost.id)
  if (!request) throw new Error('nothing was asked')
  const { root } = readGrantRequest(request)
  const answer = (given: Parameters<typeof answerRequest>[3]) =>
    answerRequest(lost.context, request.id, lost.owner.address, given)
  await expect(answer({ is: 'revoked' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  const other = await signDelegation(lost.desk.account, { ...root, caveats: [] })
  await expect(answer({ is: 'delegated', delegation: other })).rejects.toMatchObject({
    code: 'GRANT_MALFORMED',
  })
  const delegation = await signDelegation(lost.desk.account, root)
  expect(await answer({ is: 'delegated', delegation })).toBe(true)
})

it('believes a revocation once the chain shows it', async () => {
  const { context, owner, id, desk } = golem
  const [kept] = await here.store.delegations.list(id)
  if (!kept) throw new Error('nothing was signed')
  const body = { because: 'x', delegations: [hashDelegation(kept.delegation)] }
  for (const name of ['r1', 'r2'])
    await here.store.ownerRequests.file({ id: name, golem: id, kind: 'revoke', body })
  const answer = () => answerRequest(context, 'r1', owner.address, { is: 'revoked' })
  await expect(answer()).rejects.toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
  await revoke(desk, { delegation: kept.delegation, cause: 'owner' })
  expect(await answer()).toBe(true)
  const request = await here.store.ownerRequests.find('r2')
  const seat = await golem.seat()
  expect(request && (await seat.answer(request))).toEqual({ is: 'revoked' })
})

it('lets no owner answer unattended anywhere but on the devnet', async () => {
  const { desk, owner, wallet } = golem
  const options = { ...desk, store: here.store, owner, wallet }
  const unsupported = { code: 'UNSUPPORTED_CHAIN' }
  const deployment = { ...desk.deployment, chainId: 8453 }
  await expect(createDevnetOwner({ ...options, deployment })).rejects.toMatchObject(unsupported)
  const account = { ...desk.account, chainId: 1 }
  await expect(createDevnetOwner({ ...options, account })).rejects.toMatchObject(unsupported)
  const client = { ...desk.client, getChainId: async () => 8453 }
  await expect(createDevnetOwner({ ...options, client })).rejects.toMatchObject(unsupported)
  expect(await answerRequest(golem.context, 'r2', owner.address, refused)).toBe(true)
})
