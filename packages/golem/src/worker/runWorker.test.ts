import { systemClock } from '@bardo/chain'
import type { Clock } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import { partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { runWorker } from './runWorker.ts'
import { runWatch, watchHeartbeats } from './watchHeartbeats.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

const summon = (id: Hash) => createGolem(partsOf(world, store, id))
const namesOf = async (golem: Hash) =>
  (await store.events.read({ after: 0, golem, limit: 1_000 })).map(({ name }) => name)
const fail = (error: unknown) => {
  throw error
}

/** Works until each of these Golems has recorded this event. */
async function workUntil(name: string, golems: readonly Hash[]) {
  const stop = new AbortController()
  const workers = [1, 2].map(() =>
    runWorker({
      store,
      clock: systemClock,
      summon,
      concurrency: 2,
      signal: stop.signal,
      onError: fail,
      pollMs: 20,
    }),
  )
  const pending = new Set<string>(golems)
  for await (const event of store.events.subscribe({ after: 0, signal: stop.signal })) {
    if (event.name === name) pending.delete(event.golem)
    if (pending.size === 0) break
  }
  stop.abort()
  await Promise.all(workers)
}

it('claims due ticks, ticks each Golem once with two workers, and stores the time of the next tick', async () => {
  const { id: first } = await summonIn(world, store, dca)
  const { id: second } = await summonIn(world, store, dca)
  await workUntil('heartbeat.ticked', [first, second])
  for (const id of [first, second]) {
    const names = await namesOf(id)
    expect(names.filter((name) => name === 'heartbeat.ticked')).toHaveLength(1)
    expect(names.filter((name) => name === 'action.landed')).toHaveLength(1)
    const golem = await store.golems.find(id)
    expect(golem?.nextTick).toBeGreaterThan(systemClock.now())
  }
})

it('continues a death that another worker began', async () => {
  const { id } = await summonIn(world, store, dca)
  const golem = await summon(id)
  await golem.tick()
  await store.transaction(async ({ golemStates }) => {
    const begunAt = Math.floor(systemClock.now() / 1_000)
    const unwound = { settled: [], deferred: [], slippageCostCents: 0n }
    const death = { golem: id, trigger: 'killSwitch', begunAt, settleUntil: begunAt + 3_600, impossible: [] }
    await golemStates.saveDeath(id, 0, { ...death, stepsDone: 0, unwound, version: 0 })
  })
  await store.jobs.schedule({ golem: id, at: systemClock.now() })
  await workUntil('DeathCompleted', [id])
  expect(await store.golems.find(id)).toMatchObject({ status: 'dead', nextTick: undefined })
})

/**
 * A Golem whose tick was due at `dueAt`, and a check of it by a process that has been running since a time.
 */
async function overdue() {
  const { id } = await summonIn(world, store, dca)
  const golem = await summon(id)
  await golem.tick()
  const { state } = await golem.status()
  const dueAt = state.nextTickAt * 1_000
  await store.jobs.schedule({ golem: id, at: dueAt })
  const watch = (lateMs: number, since = dueAt, idleMs = lateMs) => {
    const clock: Clock = { ...systemClock, now: () => dueAt + lateMs }
    const jobs = { ...store.jobs, idle: async () => new Map([[id, idleMs]]) }
    return watchHeartbeats({ store: { ...store, jobs }, clock, summon, onError: fail }, since)
  }
  const missedMs = 3 * state.intervalSeconds * 1_000
  return { id, golem, dueAt, missedMs, watch }
}

it('reports a Golem without a worker once: observe-only mode, one owner request, no death', async () => {
  const { id, golem, dueAt, missedMs, watch } = await overdue()
  const nothing = { reported: [], abandoned: [] }
  expect(await watch(missedMs - 1)).toEqual(nothing)
  // A process that was suspended until now has seen nothing, and a running tick is not missed.
  expect(await watch(50 * missedMs, dueAt + 49.5 * missedMs)).toEqual(nothing)
  expect(await watch(50 * missedMs, dueAt, 20_000)).toEqual(nothing)
  // Several watchers check at the same moment.
  const results = await Promise.all([1, 2, 3].map(() => watch(missedMs)))
  expect(results.flatMap(({ reported }) => reported)).toEqual([id])
  expect(await watch(2 * missedMs)).toEqual(nothing)

  expect(await store.golems.find(id)).toMatchObject({ status: 'observing' })
  expect(await golem.status()).toMatchObject({
    state: { recovery: { type: 'observing', reason: 'missedTicks' } },
    death: undefined,
  })
  const requests = await store.ownerRequests.pending(id)
  expect(requests).toMatchObject([{ kind: 'missedTicks' }])
  const recorded = (await namesOf(id)).filter((name) =>
    /^heartbeat.anomaly|^recovery|^owner|^Death/.test(name),
  )
  expect(recorded).toEqual(['heartbeat.anomaly', 'recovery.observing', 'owner.requestFiled'])

  // The first worker that ticks it withdraws the request, and the Golem acts again.
  await store.jobs.schedule({ golem: id, at: 0 })
  await workUntil('recovery.acting', [id])
  expect(await store.ownerRequests.pending(id)).toEqual([])
  expect(await store.ownerRequests.find(requests[0]?.id ?? '')).toMatchObject({ answer: { withdrawn: true } })
  expect(await golem.status()).toMatchObject({ state: { recovery: { type: 'acting' } }, death: undefined })
})

it('begins no death after an outage of all workers longer than the grace period', async () => {
  const { id, golem, dueAt, missedMs, watch } = await overdue()
  const { graceSeconds } = (await golem.status()).permission.terms
  await watch(missedMs)
  await world.warp(2 * graceSeconds)
  // The restarted process has been running for a minute only.
  const late = 2 * graceSeconds * 1_000
  expect(await watch(late, dueAt + late - 60_000)).toEqual({ reported: [], abandoned: [] })
  await store.jobs.schedule({ golem: id, at: 0 })
  await workUntil('recovery.acting', [id])
  expect((await golem.status()).death).toBeUndefined()
})

/**
 * Watches a Golem that no worker claims for 60 checks, and returns whether it was reported. `look` decides
 * how much time, in
 * milliseconds, passes at each check; the watcher checks every 10 and reports after 50 without a claim.
 */
async function watchFor60(look: (number: number) => { readonly passes: number; readonly isStuck?: boolean }) {
  const { id } = await summonIn(world, store, dca)
  const { state } = await (await summon(id)).status()
  const version = state.version + 1
  expect(await store.golemStates.saveState(id, version, { ...state, intervalSeconds: 0.001, version })).toBe(
    true,
  )
  const stop = new AbortController()
  let now = state.nextTickAt * 1_000 + 3_600_000
  let looks = 0
  const jobs = { ...store.jobs, idle: async () => new Map([[id, 3_600_000]]) }
  await runWatch({
    store: { ...store, jobs },
    clock: { ...systemClock, now: () => now },
    summon,
    onError: fail,
    signal: stop.signal,
    watchMs: 10,
    missedAfterMs: 50,
    lastLook: () => {
      looks += 1
      if (looks === 60) stop.abort()
      const { passes, isStuck } = look(looks)
      now += passes
      return isStuck ? 0 : now
    },
  })
  return (await namesOf(id)).includes('heartbeat.anomaly')
}

it('counts only the time in which it was running, not the time it was suspended or stuck', async () => {
  expect(await watchFor60(() => ({ passes: 10 }))).toBe(true)
  // It is suspended for a second after every third check.
  expect(await watchFor60((look) => ({ passes: look % 3 === 0 ? 1_000 : 10 }))).toBe(false)
  // Its own worker cannot look.
  expect(await watchFor60(() => ({ passes: 10, isStuck: true }))).toBe(false)
})

it('schedules the tick of a Golem without a job, and counts nothing as missed before', async () => {
  const { id, dueAt } = await overdue()
  await store.jobs.cancel(id)
  const clock: Clock = { ...systemClock, now: () => dueAt + 86_400_000 }
  const look = () => watchHeartbeats({ store, clock, summon, onError: fail }, dueAt)
  expect(await look()).toEqual({ reported: [], abandoned: [] })
  expect((await store.jobs.idle([id])).has(id)).toBe(true)
  expect(await look()).toEqual({ reported: [], abandoned: [] })
})

it('closes expired owner requests', async () => {
  const { id } = await summonIn(world, store, dca)
  const body = { because: 'a test' }
  const file = (request: string, expiresAt: number) =>
    store.ownerRequests.file({ id: request, golem: id, kind: 'fund', body, expiresAt })
  await file('over', systemClock.now() - 1)
  await file('waiting', systemClock.now() + 60_000)
  await watchHeartbeats({ store, clock: systemClock, summon, onError: fail }, systemClock.now())
  expect(await store.ownerRequests.find('over')).toMatchObject({ state: 'expired' })
  expect(await store.ownerRequests.find('waiting')).toMatchObject({ state: 'pending' })
  expect(await namesOf(id)).toContain('owner.requestAnswered')
})
