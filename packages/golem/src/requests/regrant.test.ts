import { isDisabled, type OwnerSigner } from '@bardo/chain'
import {
  cage,
  compileStrategy,
  type Delegation,
  encodeContext,
  hashDelegation,
  strategySalt,
  toCageTerms,
} from '@bardo/core'
import { keccak256, stringToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import { partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { planRegrant } from './planRegrant.ts'
import { carryOutPlan, regrant } from './regrant.ts'
import { standingRoots } from './rootExchange.ts'

const strategy = 'Every hour, swap $10 of USDC into WETH.\n\nbudget: $40/day\nlifespan: 30 days'
const narrower = 'Every hour, swap $5 of USDC into WETH.\n\nbudget: $20/day\nlifespan: 10 days'

describe('regrant', () => {
  let context: TestWorld
  beforeAll(async () => {
    context = await openTestWorld()
  })
  afterAll(() => context?.stop())

  async function summonGolem(change?: (root: Delegation) => Delegation) {
    const { world, store } = context
    const summoned = await summonIn(world, store, strategy, change)
    const parts = partsOf(world, store, summoned.id)
    return { ...summoned, parts, open: () => createGolem(parts) }
  }

  /** A signer whose next transaction is never sent. */
  const crashing = (signer: OwnerSigner): OwnerSigner => ({
    ...signer,
    submitter: {
      ...signer.submitter,
      submit: () => Promise.reject(new Error('crashed before it was sent')),
    },
  })

  it('feeds a Golem: later end, old root disabled, today’s spending still counted', async () => {
    const { id, root, signer, parts, open } = await summonGolem()
    await (await open()).tick()
    const before = await (await open()).look()
    expect(before.day.spent).toBeGreaterThan(0n)
    await context.world.warp(3_600)

    const fed = await regrant(signer, parts)
    expect(await isDisabled(signer, root)).toBe(true)
    expect(await isDisabled(signer, fed.root)).toBe(false)
    const golem = await open()
    const { permission, death } = await golem.status()
    expect(death).toBeUndefined()
    expect(permission.links.map((link) => hashDelegation(link))).toEqual([hashDelegation(fed.root)])
    expect(permission.plan.window.end - permission.plan.window.start).toBe(30n * 86_400n)
    expect((await golem.look()).day).toEqual({ ...before.day, limit: 4_000n })
    await golem.tick()
    expect((await golem.look()).day.spent).toBe(before.day.spent * 2n)
    const recorded = await context.store.events.read({ after: 0, golem: id, limit: 500 })
    expect(recorded.filter(({ name }) => name === 'custody.delegationRevoked')).toHaveLength(1)
    expect(recorded.filter(({ name }) => name === 'custody.delegationGranted')).toHaveLength(2)
  })

  it('refuses to renew limits that the owner did not sign, whatever the database contains', async () => {
    const { id, root, signer, parts } = await summonGolem()
    const { store } = context
    const wide = 'Every hour, swap $1000 of USDC into WETH.\n\nbudget: $40000/day\nlifespan: 30 days'
    const { permission } = await (await createGolem(parts)).status()
    const plan = compileStrategy(wide, {
      now: permission.plan.window.start,
      symbols: [...parts.book.assets.keys()],
    })
    const subject = { golem: id, account: root.delegator, graceSeconds: permission.terms.graceSeconds }
    const terms = toCageTerms(plan.plan, parts.book, subject)
    const [caveat] = root.caveats
    if (!caveat) throw new Error('the root has no Cage')
    const salt = strategySalt(wide, 1n)
    const forged = { ...root, salt, caveats: [{ ...caveat, terms: cage.encode(terms) }] }
    await store.delegations.add({ golem: id, delegation: forged, context: encodeContext([forged]) })
    const row = await store.golems.find(id)
    const hash = keccak256(stringToHex(wide))
    if (!row || !(await store.golems.save({ ...row, strategy: { text: wide, hash } })))
      throw new Error('the row was not saved')
    expect((await (await createGolem(parts)).status()).permission.plan.dayCents).toBe(4_000_000n)
    await expect(regrant(signer, parts)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    expect(await isDisabled(signer, root)).toBe(false)
  })

  it('renews the signed limits, not those of a text changed in the database', async () => {
    const { id, signer, parts } = await summonGolem((root) => ({ ...root, salt: 1_794_841_859n }))
    const row = await context.store.golems.find(id)
    const text = 'Every hour, swap $1000 of USDC into WETH.\n\nbudget: $40000/day\nlifespan: 90 days'
    if (!row?.strategy || !(await context.store.golems.save({ ...row, strategy: { ...row.strategy, text } })))
      throw new Error('the row was not saved')
    const { permission: before } = await (await createGolem(parts)).status()
    await regrant(signer, parts)
    const { permission: after } = await (await createGolem(parts)).status()
    const window = { start: 0, end: 0 }
    expect({ ...after.terms, ...window }).toEqual({ ...before.terms, ...window })
    expect(after.terms.end - after.terms.start).toBe(before.terms.end - before.terms.start)
    expect(after.golem.strategy?.text).toBe(text)
  })

  it('refuses an address book that names the guardian of identities as a target', async () => {
    const { signer, parts, root } = await summonGolem()
    const contracts = { ...parts.book.contracts, swapRouter02: parts.deployment.contracts.identityGuardian }
    const forged = { ...parts, book: { ...parts.book, contracts } }
    await expect(regrant(signer, forged, narrower)).rejects.toMatchObject({
      message: expect.stringContaining('never part of a permission'),
    })
    expect(await isDisabled(signer, root)).toBe(false)
  })

  it('does not carry out a plan from before another replacement: its root would stay valid', async () => {
    const { signer, parts } = await summonGolem()
    const late = await planRegrant(signer, parts, { type: 'strategy', text: narrower })
    const { root } = await regrant(signer, parts)
    await expect(carryOutPlan(signer, parts, late)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    const standing = await standingRoots(parts, parts.id, zeroAddress)
    expect(standing.map((one) => hashDelegation(one))).toEqual([hashDelegation(root)])
  })

  it('signs another strategy under the same lineage, twice in the same second', async () => {
    const { signer, parts, open } = await summonGolem()
    await regrant(signer, parts, narrower)
    await regrant(signer, parts, narrower)
    const { permission } = await (await open()).status()
    expect(permission.plan.dayCents).toBe(2_000n)
    expect(permission.golem.strategy?.text).toBe(narrower)
  })

  it('leaves one valid root for concurrent signatures, with the strategy of one of them', async () => {
    const { id, signer, parts, open } = await summonGolem()
    const texts = [undefined, narrower, undefined, undefined]
    await Promise.all(texts.map((text) => regrant(signer, parts, text)))
    const validRoots = await standingRoots(parts, id, zeroAddress)
    const { permission } = await (await open()).status()
    expect(validRoots.map((root) => hashDelegation(root))).toEqual([hashDelegation(permission.links[0])])
    expect(permission.golem.strategy?.text).toBe(narrower)
  })

  it('locks the row before it checks for a rotation or a death, so that none begins unseen', async () => {
    const { signer, parts, id } = await summonGolem()
    const { store } = parts
    /** The calls of each transaction, in their order. */
    const calls: string[][] = []
    const transaction: typeof store.transaction = (work) => {
      const own: string[] = []
      calls.push(own)
      const noted = <Repository extends object>(name: string, repository: Repository): Repository =>
        new Proxy(repository, {
          get(target, method, receiver) {
            own.push(`${name}.${String(method)}`)
            return Reflect.get(target, method, receiver)
          },
        })
      return store.transaction((open) =>
        work({
          ...open,
          golems: noted('golems', open.golems),
          golemStates: noted('golemStates', open.golemStates),
          rotations: noted('rotations', open.rotations),
          delegations: noted('delegations', open.delegations),
        }),
      )
    }
    await regrant(signer, { ...parts, store: { ...store, transaction } }, narrower)
    expect(await store.delegations.list(id)).toHaveLength(2)
    const storing = calls.find((own) => own.includes('delegations.add')) ?? []
    const locked = storing.indexOf('golems.save')
    expect(locked).toBeGreaterThan(-1)
    expect(storing.indexOf('rotations.underWay')).toBeGreaterThan(locked)
    expect(storing.indexOf('golemStates.find')).toBeGreaterThan(locked)
  })

  it('continues after a crash before the old root was disabled', async () => {
    const { root, signer, parts, open } = await summonGolem()
    await expect(regrant(crashing(signer), parts, narrower)).rejects.toThrow('crashed')
    expect(await isDisabled(signer, root)).toBe(false)
    await regrant(signer, parts, narrower)
    expect(await isDisabled(signer, root)).toBe(true)
    expect((await (await open()).status()).permission.plan.dayCents).toBe(2_000n)
  })

  it('puts the signed root into force by itself once the chain shows the old one as disabled', async () => {
    const { signer, parts, open } = await summonGolem()
    const { store } = parts
    const crashingParts = { ...parts, store: { ...store, transaction: failingOnce(store.transaction, 2) } }
    await expect(regrant(signer, crashingParts, narrower)).rejects.toThrow('crashed')
    const between = await (await open()).tick()
    expect(between).toMatchObject({ type: 'ticked', state: { recovery: { type: 'acting' } } })
    expect((await (await open()).status()).permission.plan.dayCents).toBe(2_000n)
    await context.world.warp(10)
    expect(await (await open()).tick()).toMatchObject({ type: 'ticked' })
  })

  it('refuses an empty strategy, another account and a dying Golem', async () => {
    const [{ signer, parts, open }, stranger] = [await summonGolem(), await summonGolem()]
    await expect(regrant(signer, parts, 'Sing.')).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(regrant(stranger.signer, parts)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    await (await open()).beginDeath('killSwitch')
    await expect(regrant(signer, parts)).rejects.toMatchObject({ code: 'GOLEM_DYING' })
  })
})

/** Throws at one call, counted from 1. */
function failingOnce<Work extends (...args: never[]) => unknown>(work: Work, at: number): Work {
  let calls = 0
  return ((...args: Parameters<Work>) => {
    calls += 1
    if (calls === at) throw new Error('crashed')
    return work(...args)
  }) as Work
}
