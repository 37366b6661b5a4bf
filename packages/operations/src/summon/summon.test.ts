import { createVitalsClient } from '@bardo/chain'
import { devnetAccount } from '@bardo/devnet'
import { createGolem } from '@bardo/golem'
import { partsOf, summonIn } from '@bardo/golem/testing/golemWorld'
import { type Hash, type Hex, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountOf } from '../owner/accountOf.ts'
import type { OperationContext } from '../owner/ownerOperation.ts'
import {
  completeOperation,
  type FinishedOperation,
  type PreparedOperationJson,
  prepareOperation,
} from '../prepareOperation.ts'
import { type OperationWorld, openOperationWorld } from '../testing/operationWorld.ts'
import { summonedResult } from './summon.ts'

const strategy = 'Every hour, swap $10 of USDC into WETH.\n\nbudget: $40/day\nlifespan: 30 days'
const input = { name: 'alpha', strategy, intervalSeconds: 3_600, graceSeconds: 86_400 }

describe('a summoning by an owner whose key is in another process', () => {
  let here: OperationWorld
  let key: Hex
  let context: OperationContext
  beforeAll(async () => {
    here = await openOperationWorld()
  })
  afterAll(() => here?.stop())
  beforeEach(async () => {
    here.clock.laterMs = 0
    ;({ key, context } = await here.newOwner())
    await here.world.fund(accountOf(context), { USDC: parseUnits('500', 6) })
  })

  const prepare = (changes = {}) => prepareOperation(context, 'summon', { ...input, ...changes })
  const complete = async (prepared: PreparedOperationJson, by = key) =>
    completeOperation(context, await here.signed(prepared, by))
  const golems = () => here.store.golems.list({ owner: context.owner })
  const bornOf = ({ result }: FinishedOperation) => summonedResult.parse(result)

  it('needs one signature and three transactions, all in one round, and then the Golem trades', async () => {
    const prepared = await prepare()
    // The delegation; the account, the gas of the key, the registration.
    expect(prepared.steps.map(({ type }) => type)).toEqual([
      'signature',
      'transaction',
      'transaction',
      'transaction',
    ])
    expect(prepared.steps[0]?.sentences.join(' ')).toContain('at most $40 in any 24 hours')
    expect(await golems()).toMatchObject([{ name: 'alpha', status: 'onboarding' }])
    const answers = await here.signed(prepared, key)
    const done = await completeOperation(context, answers)
    if (done.type === 'prepared') throw new Error('a step is missing')
    const { golem, account } = bornOf(done)
    expect(account).toBe(accountOf(context))
    expect(await completeOperation(context, answers)).toEqual(done)
    expect(await golems()).toMatchObject([{ id: golem, status: 'alive' }])
    const living = await createGolem(partsOf(here.world, here.store, golem))
    await living.tick()
    expect((await living.look()).day.spent).toBe(1_000n)
  })

  it('needs only a signature and the gas if a sponsor pays the rest', async () => {
    const sponsor = here.submitterOf(devnetAccount('operator'))
    context = { ...context, sponsor }
    const prepared = await prepare()
    expect(prepared.steps.map(({ type }) => type)).toEqual(['signature', 'transaction'])
    const account = accountOf(context)
    expect(await context.client.getCode({ address: account })).toBeUndefined()
    const { golem } = bornOf(await here.finish(context, prepared, key))
    const address = context.deployment.contracts.golemVitals
    const { client } = context
    const vitals = createVitalsClient({ client, address, golem, submitter: sponsor })
    expect(await vitals.read()).toMatchObject({ state: 'alive' })
  })

  it('is done once: the first of two prepared files counts', async () => {
    const [first, second] = [await prepare(), await prepare()]
    expect(await golems()).toHaveLength(1)
    await here.world.client.increaseTime({ seconds: 30 })
    const { golem } = bornOf(await here.finish(context, first, key))
    const third = await complete(second).catch((error: unknown) => error)
    // The same second gives the same bytes; another one is refused.
    if (third instanceof Error) expect(third).toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
    expect(await here.store.delegations.list(golem)).toHaveLength(1)
    expect(await golems()).toHaveLength(1)
  })

  it('refuses a changed byte, another signer, another chain, an old file and a changed row', async () => {
    const prepared = await prepare()
    const changed = JSON.parse(JSON.stringify(prepared))
    changed.steps[0].typedData.message.salt = '1'
    await expect(complete(changed)).rejects.toMatchObject({ code: 'SIGNATURE_MALFORMED' })
    // The transactions of the same file are valid, but nothing is sent beside a wrong signature.
    expect(await context.client.getTransactionCount({ address: context.owner })).toBe(0)
    const other = generatePrivateKey()
    await expect(complete(prepared, other)).rejects.toMatchObject({ code: 'SIGNATURE_MALFORMED' })
    const answers = await here.signed(prepared, key)
    const deployment = { ...context.deployment, chainId: 1 }
    await expect(completeOperation({ ...context, deployment }, answers)).rejects.toMatchObject({
      code: 'CHAIN_MISMATCH',
    })
    const row = await here.store.operations.find('local', prepared.operation)
    const forged = (fields: object) => {
      const find = async () => row && { ...row, input: { ...(row.input as object), ...fields } }
      return { ...here.store, operations: { ...here.store.operations, find } }
    }
    const wider = strategy.replace('$40', '$4000')
    for (const fields of [{ strategy: wider }, { gas: `${10n ** 19n}` }, { now: '1' }])
      await expect(completeOperation({ ...context, store: forged(fields) }, answers)).rejects.toMatchObject({
        outcome: 'not-sent',
      })
    here.clock.laterMs = 86_400_000
    await expect(completeOperation(context, answers)).rejects.toMatchObject({
      details: ['It ended 24 hours after it was prepared.'],
    })
    const [golem] = await golems()
    expect(golem?.status).toBe('onboarding')
    expect(await here.store.delegations.list(golem?.id as Hash)).toEqual([])
  })

  it('signs the keys of the co-signers that the strategy names, and refuses a key that changed since', async () => {
    const owner = privateKeyToAccount(key)
    const scout = await summonIn(here.world, here.store, strategy, undefined, { owner, name: 'scout' })
    const council = `${strategy}\n\nco-signers: 1 of scout`
    const early = await prepare({ name: 'early', strategy: council })
    await (await here.runtime.open(scout.id)).rotate('age')
    await expect(complete(early)).rejects.toMatchObject({
      details: expect.arrayContaining([expect.stringContaining('A co-signer has another key')]),
    })
    const { golem } = bornOf(await here.finish(context, await prepare({ strategy: council }), key))
    const { permission } = await (await here.runtime.open(golem)).status()
    const { links } = (await (await here.runtime.open(scout.id)).status()).permission
    expect(permission.terms.coSigners).toEqual({ threshold: 1, keys: [links[0].delegate] })
  })

  it('refuses what needs the owner’s key here, and a strategy that cannot be granted', async () => {
    await expect(prepare({ identity: 'https://example.org/agent.json' })).rejects.toMatchObject({
      shortMessage: 'This needs the owner’s key on this machine.',
    })
    await expect(prepare({ strategy: 'Sing.' })).rejects.toThrow()
    expect(await golems()).toEqual([])
  })
})
