import { isDisabled } from '@bardo/chain'
import { hashDelegation } from '@bardo/core'
import { exchangeOf } from '@bardo/golem/requests'
import { summonIn } from '@bardo/golem/testing/golemWorld'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OperationContext } from '../owner/ownerOperation.ts'
import { performOperation } from '../performOperation.ts'
import { completeOperation, type PreparedOperationJson, prepareOperation } from '../prepareOperation.ts'
import { type OperationWorld, openOperationWorld } from '../testing/operationWorld.ts'

const strategy = 'Every hour, swap $10 of USDC into WETH.\n\nbudget: $40/day\nlifespan: 30 days'
const narrower = 'Every hour, swap $5 of USDC into WETH.\n\nbudget: $20/day\nlifespan: 10 days'
const wider = 'Every hour, swap $20 of USDC into WETH.\n\nbudget: $80/day\nlifespan: 30 days'

describe('feed and adjust by an owner whose key is in another process', () => {
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

  const feed = () => prepareOperation(context, 'feed', { golem: alpha.id })
  const adjust = (text: string) => prepareOperation(context, 'adjust', { golem: alpha.id, strategy: text })
  const isOff = () => isDisabled(context, alpha.root)
  const rootInUse = async () => {
    const { permission } = await (await alpha.open()).status()
    return hashDelegation(permission.links[0])
  }
  const complete = async (prepared: PreparedOperationJson, by = key) =>
    completeOperation(context, await here.signed(prepared, by))
  const waiting = (outcome: Awaited<ReturnType<typeof complete>>) => {
    if (outcome.type === 'done') throw new Error('a step is missing')
    return outcome
  }

  it('feeds with two signatures and one transaction', async () => {
    const prepared = await feed()
    expect(prepared.sentences[0]).toContain('Renew the permission of alpha: the same limits')
    expect(prepared.steps.map(({ type }) => type)).toEqual(['signature', 'signature'])
    expect(prepared.steps[0]?.sentences.join(' ')).toContain('at most $40 in any 24 hours')
    const first = await here.signed(prepared, key)
    const next = waiting(await completeOperation(context, first))
    // The same file again changes nothing.
    expect(await completeOperation(context, first)).toEqual(next)
    expect(next.steps.map(({ type }) => type)).toEqual(['transaction'])
    const done = await here.finish(context, next, key)
    expect(done).toMatchObject({ result: { name: 'alpha', dayCents: '4000' } })
    expect(await isOff()).toBe(true)
    expect(await rootInUse()).not.toBe(hashDelegation(alpha.root))
    expect(await exchangeOf(here.store, alpha.id)).toBeUndefined()
    expect(await (await alpha.open()).tick()).toMatchObject({ type: 'ticked' })
  })

  it('keeps the Golem under its old root until the chain shows it as disabled, then it switches by itself', async () => {
    const next = waiting(await complete(await adjust(narrower)))
    // The old root allows more, so the new one waits for its revocation.
    expect(await rootInUse()).toBe(hashDelegation(alpha.root))
    const golem = await alpha.open()
    expect(await golem.tick()).toMatchObject({ type: 'ticked', state: { recovery: { type: 'acting' } } })
    const [step] = next.steps
    if (step?.type !== 'transaction') throw new Error('a transaction is missing')
    const { to, data, digest } = step
    const account = privateKeyToAccount(key)
    const transaction = await here.world.client.sendTransaction({ account, chain: null, to, data })
    expect(await golem.tick()).toMatchObject({ type: 'ticked', state: { recovery: { type: 'acting' } } })
    expect(await rootInUse()).not.toBe(hashDelegation(alpha.root))
    const { permission } = await golem.status()
    expect(permission.golem.strategy?.text).toBe(narrower)
    // The owner's answer comes after that, and is only recorded.
    const answers = { operation: next.operation, answers: [{ digest, transaction }] }
    expect(await completeOperation(context, answers)).toMatchObject({
      type: 'done',
      result: { order: 'disable-first', dayCents: '2000' },
    })
  })

  it('completes an abandoned replacement before the next one', async () => {
    waiting(await complete(await adjust(wider)))
    expect(await isOff()).toBe(false)
    // A feed completes what was signed; nothing is signed for the Golem again.
    const again = await feed()
    expect(again.sentences[0]).toContain('Complete the replacement of the root of alpha')
    const done = await here.finish(context, again, key)
    expect(done).toMatchObject({ result: { dayCents: '8000' } })
    expect(await isOff()).toBe(true)
    // Another strategy first completes the replacement under way.
    waiting(await complete(await adjust(strategy)))
    const last = await here.finish(context, await adjust(narrower), key)
    expect(last).toMatchObject({ result: { dayCents: '2000' } })
    const roots = await here.store.delegations.list(alpha.id)
    const off = await Promise.all(roots.map(({ delegation }) => isDisabled(context, delegation)))
    expect(off).toEqual([true, true, true, false])
  })

  describe('with co-signers that the strategy names', () => {
    const council = `${strategy}\n\nco-signers: 1 of scout, 0x90F79bf6EB2c4f870365E785982E1f101E93b906`
    const coSigners = async () => {
      const { permission } = await (await alpha.open()).status()
      return permission.terms.coSigners
    }
    let scout: Awaited<ReturnType<typeof summonIn>>
    beforeEach(async () => {
      const owner = privateKeyToAccount(key)
      scout = await summonIn(here.world, here.store, strategy, undefined, { owner, name: 'scout' })
    })

    it('signs their keys, the same bytes in each round', async () => {
      const prepared = await adjust(council)
      const signed = scout.root.delegate.toLowerCase()
      expect(prepared.steps[0]?.sentences.join(' ')).toContain(signed)
      const next = waiting(await complete(prepared))
      // Another key from now on: what the owner signed is continued.
      await (await here.runtime.open(scout.id)).rotate('age')
      await here.finish(context, next, key)
      expect(await coSigners()).toMatchObject({ threshold: 1, keys: expect.arrayContaining([signed]) })
      expect((await coSigners())?.keys).toHaveLength(2)
      // A feed renews the signed keys, not the names.
      await here.finish(context, await feed(), key)
      expect((await coSigners())?.keys).toContain(signed)
    })

    it('refuses a name that has another key than when it was prepared, and a forged key', async () => {
      const prepared = await adjust(council)
      const answers = await here.signed(prepared, key)
      const row = await here.store.operations.find('local', prepared.operation)
      expect(row?.input).toMatchObject({ members: [{ name: 'scout', key: scout.root.delegate }] })
      const forge = (members: readonly object[]) => {
        const find = async () => row && { ...row, input: { ...(row.input as object), members } }
        return { ...context, store: { ...here.store, operations: { ...here.store.operations, find } } }
      }
      const outdated = {
        details: expect.arrayContaining([expect.stringContaining('A co-signer has another')]),
      }
      const thief = { name: 'scout', key: here.world.accounts.stranger }
      await expect(completeOperation(forge([thief]), answers)).rejects.toMatchObject(outdated)
      const second = [
        { name: 'scout', key: scout.root.delegate },
        { ...thief, name: 'clerk' },
      ]
      await expect(completeOperation(forge(second), answers)).rejects.toMatchObject(outdated)
      await (await here.runtime.open(scout.id)).rotate('age')
      await expect(completeOperation(context, answers)).rejects.toMatchObject(outdated)
      expect(await exchangeOf(here.store, alpha.id)).toBeUndefined()
      await expect(adjust(council.replace('scout', 'nobody'))).rejects.toThrow(/nobody/)
    })
  })

  describe('refuses', () => {
    it('a changed byte, another signer, another chain and an old file', async () => {
      const prepared = await feed()
      const changed = JSON.parse(JSON.stringify(prepared))
      changed.steps[0].typedData.message.salt = '1'
      await expect(complete(changed)).rejects.toMatchObject({ code: 'SIGNATURE_MALFORMED' })
      await expect(complete(prepared, generatePrivateKey())).rejects.toMatchObject({
        code: 'SIGNATURE_MALFORMED',
      })
      const answers = await here.signed(prepared, key)
      const deployment = { ...context.deployment, chainId: 1 }
      await expect(completeOperation({ ...context, deployment }, answers)).rejects.toMatchObject({
        code: 'CHAIN_MISMATCH',
      })
      here.clock.laterMs = 86_400_000
      await expect(completeOperation(context, answers)).rejects.toMatchObject({
        details: ['It ended 24 hours after it was prepared.'],
      })
      expect(await exchangeOf(here.store, alpha.id)).toBeUndefined()
    })

    it('a root that changed, was revoked, or is for a key that was rotated since', async () => {
      const [first, second] = [await feed(), await adjust(narrower)]
      await here.finish(context, second, key)
      await expect(complete(first)).rejects.toMatchObject({
        details: ['The Golem’s roots changed since it was prepared.', expect.stringContaining('new root: ')],
      })
      const third = await feed()
      await (await alpha.open()).rotate('age')
      await expect(complete(third)).rejects.toMatchObject({
        details: ['The Golem has another key since it was prepared.', expect.stringContaining('key: 0x')],
      })
      const fourth = await feed()
      await performOperation(context, alpha.signer, 'revoke', { golem: alpha.id })
      await expect(complete(fourth)).rejects.toMatchObject({
        details: ['The root was revoked since it was prepared.', expect.anything()],
      })
    })

    it('a stored row with a lower floor for a vault', async () => {
      const prepared = await adjust(
        'Deposit $10 of USDC into the vault each day.\n\nbudget: $40/day\nlifespan: 30 days',
      )
      const answers = await here.signed(prepared, key)
      const row = await here.store.operations.find('local', prepared.operation)
      const floors = [{ vault: here.world.addresses.usdcVault, floor: '1' }]
      expect(row?.input).toMatchObject({ floors: [{ vault: floors[0]?.vault }] })
      const find = async () => row && { ...row, input: { ...(row.input as object), floors } }
      const store = { ...here.store, operations: { ...here.store.operations, find } }
      await expect(completeOperation({ ...context, store }, answers)).rejects.toMatchObject({
        details: [expect.stringContaining('the floor of vault'), expect.stringContaining('its rate allows')],
      })
    })

    it('a stored row whose fields were changed', async () => {
      const prepared = await feed()
      const answers = await here.signed(prepared, key)
      const row = await here.store.operations.find('local', prepared.operation)
      const find = async () => row && { ...row, input: { ...(row.input as object), strategy: wider } }
      const store = { ...here.store, operations: { ...here.store.operations, find } }
      await expect(completeOperation({ ...context, store }, answers)).rejects.toMatchObject({
        details: ['What was signed no longer fits the state of the chain.'],
      })
      expect(await exchangeOf(here.store, alpha.id)).toBeUndefined()
    })
  })
})
