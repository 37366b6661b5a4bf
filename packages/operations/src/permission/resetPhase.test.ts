import { createGolem } from '@bardo/golem'
import { partsOf } from '@bardo/golem/testing/golemWorld'
import type { Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OperationContext } from '../owner/ownerOperation.ts'
import { completeOperation, prepareOperation } from '../prepareOperation.ts'
import { type OperationWorld, openOperationWorld } from '../testing/operationWorld.ts'

const strategy = 'Every hour, swap $10 of USDC into WETH.\n\nbudget: $40/day\nlifespan: 30 days'
const poor = { runwayCents: 2_000n, dayPrices: { compute: 1_000n, data: 0n } }

describe('a phase reset by an owner whose key is in another process', () => {
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

  const prepare = () => prepareOperation(context, 'resetPhase', { golem: alpha.id })
  const decline = async () => {
    const golem = await createGolem(partsOf(here.world, here.store, alpha.id, { economy: poor }))
    expect(await golem.tick()).toMatchObject({ state: { phase: 'declining' } })
  }

  it('needs one signature and one transaction, and the Golem trades again', async () => {
    await decline()
    const prepared = await prepare()
    expect(prepared.sentences[0]).toMatch(/^Move alpha back from declining to thriving\./)
    expect(prepared.steps.map(({ type }) => type)).toEqual(['signature'])
    expect(await here.finish(context, prepared, key)).toMatchObject({
      result: { name: 'alpha', from: 'declining', transaction: expect.stringMatching(/^0x/) },
    })
    expect(await (await alpha.open()).tick()).toMatchObject({ state: { phase: 'thriving' } })
    await expect(prepare()).rejects.toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
  })

  it('is refused for another owner, with another signature, on another chain, when it is a day old', async () => {
    await decline()
    const other = await here.newOwner()
    await expect(prepareOperation(other.context, 'resetPhase', { golem: alpha.id })).rejects.toMatchObject({
      code: 'ACTION_NOT_ALLOWED',
    })
    const prepared = await prepare()
    await expect(
      completeOperation(context, await here.signed(prepared, generatePrivateKey())),
    ).rejects.toMatchObject({ code: 'SIGNATURE_MALFORMED' })
    const changed = JSON.parse(JSON.stringify(prepared))
    changed.steps[0].typedData.message.phase = 1
    await expect(completeOperation(context, await here.signed(changed, key))).rejects.toMatchObject({
      code: 'SIGNATURE_MALFORMED',
    })
    const answers = await here.signed(prepared, key)
    await expect(
      completeOperation({ ...context, deployment: { ...context.deployment, chainId: 1 } }, answers),
    ).rejects.toMatchObject({ code: 'CHAIN_MISMATCH' })
    here.clock.laterMs = 86_400_000
    await expect(completeOperation(context, answers)).rejects.toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
  })

  it('is a part of a feed, and can be left out', async () => {
    await decline()
    const kept = await prepareOperation(context, 'feed', { golem: alpha.id, keepPhase: true })
    expect(await here.finish(context, kept, key)).toMatchObject({ result: { resetFrom: null } })
    expect(await (await alpha.open()).tick()).toMatchObject({ state: { phase: 'declining' } })
    const prepared = await prepareOperation(context, 'feed', { golem: alpha.id })
    expect(prepared.sentences.join(' ')).toContain('moved it to declining')
    expect(await here.finish(context, prepared, key)).toMatchObject({ result: { resetFrom: 'declining' } })
    expect(await (await alpha.open()).tick()).toMatchObject({ state: { phase: 'thriving' } })
  })

  it('is refused after another reset: the owner’s signature counts once', async () => {
    await decline()
    const answers = await here.signed(await prepare(), key)
    await here.finish(context, await prepare(), key)
    await decline()
    await expect(completeOperation(context, answers)).rejects.toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
  })
})
