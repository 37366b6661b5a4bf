import { isDisabled } from '@bardo/chain'
import { hashDelegation } from '@bardo/core'
import { regrant } from '@bardo/golem'
import { partsOf } from '@bardo/golem/testing/golemWorld'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OperationContext } from '../owner/ownerOperation.ts'
import { completeOperation, prepareOperation } from '../prepareOperation.ts'
import { type OperationWorld, openOperationWorld } from '../testing/operationWorld.ts'

const strategy = 'Every hour, swap $10 of USDC into WETH.\n\nbudget: $40/day\nlifespan: 30 days'

describe('a revocation by an owner whose key is in another process', () => {
  let here: OperationWorld
  let key: Hex
  let context: OperationContext
  let alpha: Awaited<ReturnType<OperationWorld['golemOf']>>
  beforeAll(async () => {
    here = await openOperationWorld()
  })
  afterAll(() => here?.stop())
  beforeEach(async () => {
    here.clock.laterMs = 0
    ;({ key, context } = await here.newOwner())
    alpha = await here.golemOf(key, strategy)
  })

  const prepare = () => prepareOperation(context, 'revoke', { golem: alpha.id })
  const isOff = () => isDisabled(context, alpha.root)

  it('needs one signature and one transaction, and ends the Golem', async () => {
    const prepared = await prepare()
    expect(prepared.sentences[0]).toBe('Revoke what you signed for alpha: 1 active delegation.')
    expect(prepared.steps.map(({ type }) => type)).toEqual(['signature'])
    const next = await completeOperation(context, await here.signed(prepared, key))
    expect(next).toMatchObject({
      type: 'prepared',
      steps: [
        {
          type: 'transaction',
          sentences: [expect.stringContaining(`revokes the delegation ${hashDelegation(alpha.root)} to`)],
        },
      ],
    })
    expect(await isOff()).toBe(false)
    if (next.type === 'done') throw new Error('a transaction is missing')
    expect(await here.finish(context, next, key)).toMatchObject({
      result: { revoked: [{ delegation: hashDelegation(alpha.root), type: 'revoked' }] },
    })
    expect(await isOff()).toBe(true)
    const events = await here.store.events.read({ after: 0, golem: alpha.id, limit: 100 })
    expect(events.filter(({ name }) => name === 'custody.delegationRevoked')).toHaveLength(1)
    expect(await (await alpha.open()).tick()).toMatchObject({ type: 'dying' })
    await expect(prepare()).rejects.toMatchObject({
      shortMessage: 'There is nothing for the owner to sign or send.',
    })
  })

  it('is recorded when the owner’s wallet sent the transaction itself', async () => {
    const next = await completeOperation(context, await here.signed(await prepare(), key))
    if (next.type === 'done' || next.steps[0]?.type !== 'transaction') throw new Error('no transaction')
    const { to, data, digest } = next.steps[0]
    const account = privateKeyToAccount(key)
    const transaction = await here.world.client.sendTransaction({ account, chain: null, to, data })
    const answers = { operation: next.operation, answers: [{ digest, transaction }] }
    const done = await completeOperation(context, answers)
    expect(done).toMatchObject({ result: { revoked: [{ type: 'revoked' }] } })
    expect(await completeOperation(context, answers)).toEqual(done)
  })

  it('is refused after the owner signed another root', async () => {
    const prepared = await prepare()
    const answers = await here.signed(prepared, key)
    await regrant(alpha.signer, partsOf(here.world, here.store, alpha.id))
    await expect(completeOperation(context, answers)).rejects.toMatchObject({
      code: 'STEP_OUT_OF_ORDER',
      details: ['The Golem’s roots changed since it was prepared.', expect.stringContaining('new root: ')],
    })
  })

  it('is refused for another owner, with another signature, and when it is a day old', async () => {
    const other = await here.newOwner()
    await expect(prepareOperation(other.context, 'revoke', { golem: alpha.id })).rejects.toMatchObject({
      code: 'ACTION_NOT_ALLOWED',
    })
    const prepared = await prepare()
    await expect(
      completeOperation(context, await here.signed(prepared, generatePrivateKey())),
    ).rejects.toMatchObject({ code: 'SIGNATURE_MALFORMED' })
    const changed = JSON.parse(JSON.stringify(prepared))
    changed.steps[0].typedData.message.salt = '1'
    await expect(completeOperation(context, await here.signed(changed, key))).rejects.toMatchObject({
      code: 'SIGNATURE_MALFORMED',
    })
    const answers = await here.signed(prepared, key)
    await expect(
      completeOperation({ ...context, deployment: { ...context.deployment, chainId: 1 } }, answers),
    ).rejects.toMatchObject({ code: 'CHAIN_MISMATCH' })
    here.clock.laterMs = 86_400_000
    await expect(completeOperation(context, answers)).rejects.toMatchObject({
      details: ['It ended 24 hours after it was prepared.'],
    })
    expect(await isOff()).toBe(false)
  })
})
