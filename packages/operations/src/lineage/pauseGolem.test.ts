import { createGolem, type GolemParts, type LivingGolem } from '@bardo/golem'
import { balanceOf, partsOf, summonIn } from '@bardo/golem/testing/golemWorld'
import { openTestWorld, type TestWorld } from '@bardo/golem/testing/openStoreLocation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pauseGolem } from './pauseGolem.ts'

const dca = 'Every minute, swap $1 of USDC into WETH.\nbudget: $500/day\nlifespan: 30 days'
const free = 'Swap USDC into WETH.\nbudget: $50/day\nlifespan: 30 days'
const buy = { type: 'swap', from: 'USDC', to: 'WETH', cents: 1_000n, because: 'a test wants it' } as const

describe('a pause by the owner', () => {
  let context: TestWorld
  beforeAll(async () => {
    context = await openTestWorld()
  })
  afterAll(() => context?.stop())

  const now = () => Date.now()
  async function summon(strategy: string) {
    const { world, store } = context
    const { id, account } = await summonIn(world, store, strategy)
    const parts = partsOf(world, store, id)
    const usdc = () => balanceOf(world, world.addresses.usdc, account)
    const pause = (paused = true) => pauseGolem(store, id, paused, now())
    return { id, parts, usdc, pause, golem: await createGolem(parts) }
  }
  async function namesOf({ id }: LivingGolem): Promise<readonly string[]> {
    const events = await context.store.events.read({ after: 0, golem: id, limit: 1_000 })
    return events.map(({ name }) => name)
  }
  /** The same Golem in a process that crashes at a step of its journal. */
  function crashing(parts: GolemParts, step: 'addIntent' | 'addAttempt' | 'noteMined'): GolemParts {
    const journal = { ...parts.store.journal, [step]: () => Promise.reject(new Error('simulated crash')) }
    return { ...parts, store: { ...parts.store, journal } }
  }

  it('lets the Golem tick and publish and begin no action, also in another worker, until it is resumed', async () => {
    const { golem, parts, usdc, pause, id } = await summon(dca)
    const before = await usdc()
    expect(await pause()).toMatchObject({ isChanged: true })
    expect(await pause()).toMatchObject({ isChanged: false, since: expect.any(Number) })
    expect(await golem.tick()).toMatchObject({ type: 'ticked', state: { recovery: { type: 'acting' } } })
    // More than half of the signed grace: without a publication, the dead-man's switch would narrow it.
    await context.world.warp(50_000)
    expect(await (await createGolem(parts)).tick()).toMatchObject({ type: 'ticked' })
    expect(await usdc()).toBe(before)
    expect(await namesOf(golem)).toEqual(expect.arrayContaining(['vitals.published', 'action.waited']))
    expect(await namesOf(golem)).not.toContain('action.intended')
    expect(await context.store.golems.find(id)).toMatchObject({
      status: 'alive',
      pausedAt: expect.any(Number),
    })
    expect(await pause(false)).toEqual({ isChanged: true, since: undefined })
    expect(await pause(false)).toMatchObject({ isChanged: false })
    await golem.tick()
    expect(before - (await usdc())).toBe(1_000_000n)
    const names = await namesOf(golem)
    expect(names.filter((name) => name === 'golem.paused' || name === 'golem.resumed')).toEqual([
      'golem.paused',
      'golem.resumed',
    ])
  })

  it('refuses previews, and the commit of a capability that was previewed before; resumed, it commits', async () => {
    const { golem, usdc, pause, id } = await summon(free)
    await golem.tick()
    const before = await usdc()
    const { capabilityId } = await golem.preview(buy)
    await pause()
    const refusal = { code: 'GOLEM_PAUSED', outcome: 'not-sent', retryable: false }
    await expect(golem.commit(capabilityId, `${id}:one`)).rejects.toMatchObject(refusal)
    await expect(golem.preview(buy)).rejects.toMatchObject(refusal)
    await expect(golem.draw(`${id}:draw`)).rejects.toMatchObject({ outcome: 'not-sent' })
    await expect(
      golem.replicate({
        name: 'child',
        dailyCents: 100n,
        budgetCents: 100n,
        lifespanSeconds: 3_600,
        calls: 1,
      }),
    ).rejects.toMatchObject(refusal)
    expect(await golem.explain(buy)).toMatchObject({ type: 'pass' })
    expect(await usdc()).toBe(before)
    await pause(false)
    await golem.commit(capabilityId, `${id}:one`)
    expect(before - (await usdc())).toBe(10_000_000n)
  })

  it.each([
    ['is not sent if it was not in the journal', 'addIntent', 0n],
    ['is finished if it was signed', 'noteMined', 1_000_000n],
  ] as const)('while an action is pending: it %s', async (_, step, spent) => {
    const { golem, parts, usdc, pause } = await summon(dca)
    const before = await usdc()
    await (await createGolem(crashing(parts, step))).tick()
    expect((await golem.status()).state.pending).toBeDefined()
    await pause()
    await golem.tick()
    await golem.tick()
    expect(before - (await usdc())).toBe(spent)
    expect((await golem.status()).state.pending).toBeUndefined()
    expect(await namesOf(golem)).not.toContain('action.refused')
    if (spent > 0n) return
    await pause(false)
    await golem.tick()
    expect(before - (await usdc())).toBe(1_000_000n)
  })

  it('between the decision and the signature, by another process, sends nothing', async () => {
    const { golem: reader, parts, usdc, pause } = await summon(dca)
    const before = await usdc()
    const capabilities = {
      ...parts.store.capabilities,
      mint: async (...values: Parameters<typeof parts.store.capabilities.mint>) => {
        await pause()
        return parts.store.capabilities.mint(...values)
      },
    }
    const golem = await createGolem({ ...parts, store: { ...parts.store, capabilities } })
    await golem.tick()
    expect(await namesOf(reader)).toContain('action.postponed')
    expect(await usdc()).toBe(before)
  })

  it('outlives a write of an older record, and does not stop a rotation or the kill switch', async () => {
    const { golem, pause, id } = await summon(dca)
    const { store } = context
    await golem.tick()
    const older = await store.golems.find(id)
    await pause()
    expect(older && (await store.golems.save({ ...older, name: 'other' }))).toBeUndefined()
    const keyBefore = (await store.sessionKeys.list(id)).find(({ status }) => status === 'active')
    await golem.rotate('age')
    const key = (await store.sessionKeys.list(id)).find(({ status }) => status === 'active')
    expect(key?.address).not.toBe(keyBefore?.address)
    expect(await golem.tick()).toMatchObject({ type: 'ticked' })
    expect((await golem.status()).pausedAt).toBeDefined()
    expect(await golem.kill()).toMatchObject({ type: 'dying', phase: 'over' })
    await expect(pause(false)).rejects.toMatchObject({ code: 'GOLEM_DYING' })
  })
})
