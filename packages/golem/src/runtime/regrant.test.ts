import { isDisabled, type OwnerDesk } from '@bardo/chain'
import { cage, compileStrategy, encodeContext, hashDelegation, toCageTerms } from '@bardo/core'
import { keccak256, stringToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem } from './createGolem.ts'
import { regrant } from './regrant.ts'
import { partsOf, summonIn } from './testing/golemWorld.ts'
import { openPlace, type Place } from './testing/openPlace.ts'

const strategy = 'Every hour, swap $10 of USDC into WETH.\n\nbudget: $40/day\nlifespan: 30 days'
const narrower = 'Every hour, swap $5 of USDC into WETH.\n\nbudget: $20/day\nlifespan: 10 days'

describe('regrant', () => {
  let place: Place
  beforeAll(async () => {
    place = await openPlace()
  })
  afterAll(() => place?.stop())

  async function living() {
    const { world, store } = place
    const summoned = await summonIn(world, store, strategy)
    const parts = partsOf(world, store, summoned.id)
    return { ...summoned, parts, open: () => createGolem(parts) }
  }

  /** A desk whose next transaction never leaves the house. */
  const crashing = (desk: OwnerDesk): OwnerDesk => ({
    ...desk,
    submitter: { ...desk.submitter, submit: () => Promise.reject(new Error('crashed before it was sent')) },
  })

  it('feeds: a later end, the old root off, and what was spent today stays spent', async () => {
    const { id, root, desk, parts, open } = await living()
    await (await open()).tick()
    const before = await (await open()).look()
    expect(before.day.spent).toBeGreaterThan(0n)
    await place.world.warp(3_600)

    const fed = await regrant(desk, parts)
    expect(await isDisabled(desk, root)).toBe(true)
    expect(await isDisabled(desk, fed.root)).toBe(false)
    const golem = await open()
    const { charter, death } = await golem.status()
    expect(death).toBeUndefined()
    expect(charter.links.map((link) => hashDelegation(link))).toEqual([hashDelegation(fed.root)])
    expect(charter.plan.window.end - charter.plan.window.start).toBe(30n * 86_400n)
    expect((await golem.look()).day).toEqual({ ...before.day, limit: 4_000n })
    await golem.tick()
    expect((await golem.look()).day.spent).toBe(before.day.spent * 2n)
    const told = await place.store.events.read({ after: 0, golem: id, limit: 500 })
    expect(told.filter(({ name }) => name === 'custody.delegationRevoked')).toHaveLength(1)
    expect(told.filter(({ name }) => name === 'custody.delegationGranted')).toHaveLength(2)
  })

  it('feeds nothing that the owner has not signed, whatever the database says', async () => {
    const { id, root, desk, parts } = await living()
    const { store } = place
    const wide = 'Every hour, swap $1000 of USDC into WETH.\n\nbudget: $40000/day\nlifespan: 30 days'
    const { charter } = await (await createGolem(parts)).status()
    const plan = compileStrategy(wide, {
      now: charter.plan.window.start,
      symbols: [...parts.book.assets.keys()],
    })
    const subject = { golem: id, account: root.delegator, graceSeconds: charter.terms.graceSeconds }
    const terms = toCageTerms(plan.plan, parts.book, subject)
    const [caveat] = root.caveats
    if (!caveat) throw new Error('there is no Cage')
    const forged = { ...root, salt: root.salt + 1n, caveats: [{ ...caveat, terms: cage.encode(terms) }] }
    await store.delegations.add({ golem: id, delegation: forged, context: encodeContext([forged]) })
    const row = await store.golems.find(id)
    const hash = keccak256(stringToHex(wide))
    if (!row || !(await store.golems.save({ ...row, strategy: { text: wide, hash } })))
      throw new Error('the row is not written')
    expect((await (await createGolem(parts)).status()).charter.plan.dayCents).toBe(4_000_000n)
    await expect(regrant(desk, parts)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    expect(await isDisabled(desk, root)).toBe(false)
  })

  it('adjusts: another strategy under the same lineage, twice in the same second', async () => {
    const { desk, parts, open } = await living()
    await regrant(desk, parts, narrower)
    await regrant(desk, parts, narrower)
    const { charter } = await (await open()).status()
    expect(charter.plan.dayCents).toBe(2_000n)
    expect(charter.golem.strategy?.text).toBe(narrower)
  })

  it('carries on after a crash before the old root was off', async () => {
    const { root, desk, parts, open } = await living()
    await expect(regrant(crashing(desk), parts, narrower)).rejects.toThrow('crashed')
    expect(await isDisabled(desk, root)).toBe(false)
    await regrant(desk, parts, narrower)
    expect(await isDisabled(desk, root)).toBe(true)
    expect((await (await open()).status()).charter.plan.dayCents).toBe(2_000n)
  })

  it('looks on while there is no root, and lives on once there is', async () => {
    const { desk, parts, open } = await living()
    const { store } = parts
    const deaf = { ...parts, store: { ...store, transaction: failingOnce(store.transaction, 2) } }
    await expect(regrant(desk, deaf, narrower)).rejects.toThrow('crashed')
    const between = await (await open()).tick()
    expect(between).toMatchObject({ is: 'ticked', state: { recovery: { reason: 'regranting' } } })
    await regrant(desk, parts)
    expect((await (await open()).status()).charter.plan.dayCents).toBe(2_000n)
    await place.world.warp(10)
    expect(await (await open()).tick()).toMatchObject({ is: 'ticked' })
  })

  it('refuses a strategy that asks for nothing, a stranger, and who is dying', async () => {
    const [{ desk, parts, open }, stranger] = [await living(), await living()]
    await expect(regrant(desk, parts, 'Sing.')).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(regrant(stranger.desk, parts)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    await (await open()).doom('killSwitch')
    await expect(regrant(desk, parts)).rejects.toMatchObject({ code: 'GOLEM_DYING' })
  })
})

/** Goes wrong at one call, counted from 1. */
function failingOnce<Work extends (...args: never[]) => unknown>(work: Work, at: number): Work {
  let calls = 0
  return ((...args: Parameters<Work>) => {
    calls += 1
    if (calls === at) throw new Error('crashed')
    return work(...args)
  }) as Work
}
