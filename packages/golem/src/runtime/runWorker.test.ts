import { systemClock } from '@bardo/chain'
import type { Clock } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGolem } from './createGolem.ts'
import { runWorker, watchHeartbeats } from './runWorker.ts'
import { partsOf, summonIn } from './testing/golemWorld.ts'
import { openPlace, type Place } from './testing/openPlace.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'

let world: Devnet
let place: Place
let store: Store
beforeAll(async () => {
  place = await openPlace()
  ;({ world, store } = place)
})
afterAll(() => place?.stop())

const summon = (id: Hash) => createGolem(partsOf(world, store, id))
const namesOf = async (golem: Hash) =>
  (await store.events.read({ after: 0, golem, limit: 1_000 })).map(({ name }) => name)
const fail = (error: unknown) => {
  throw error
}

/** Works until every one of these has told this. */
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
  const waiting = new Set<string>(golems)
  for await (const event of store.events.subscribe({ after: 0, signal: stop.signal })) {
    if (event.name === name) waiting.delete(event.golem)
    if (waiting.size === 0) break
  }
  stop.abort()
  await Promise.all(workers)
}

it('takes up what is due, ticks each once though two workers look, and says when the next tick is', async () => {
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

it('carries a death on that another worker began', async () => {
  const { id } = await summonIn(world, store, dca)
  const golem = await summon(id)
  await golem.tick()
  await store.transaction(async ({ lives }) => {
    const begunAt = Math.floor(systemClock.now() / 1_000)
    const unwound = { settled: [], deferred: [], slippageCostCents: 0n }
    const death = { golem: id, trigger: 'killSwitch', begunAt, settleUntil: begunAt + 3_600, impossible: [] }
    await lives.saveDeath(id, 0, { ...death, stepsDone: 0, unwound, version: 0 })
  })
  await store.jobs.schedule({ golem: id, at: systemClock.now() })
  await workUntil('DeathCompleted', [id])
  expect(await store.golems.find(id)).toMatchObject({ status: 'dead', nextTick: undefined })
})

it('finds a Golem that nobody ticks, once three ticks were missed while it watched', async () => {
  const { id } = await summonIn(world, store, dca)
  const golem = await summon(id)
  await golem.tick()
  const { state } = await golem.status()
  const dueAt = state.nextTickAt * 1_000
  const at = (intervals: number): Clock => ({
    ...systemClock,
    now: () => dueAt + intervals * state.intervalSeconds * 1_000,
  })
  const watch = (clock: Clock, since: number) =>
    watchHeartbeats({ store, clock, summon, onError: fail }, since)
  expect(await watch(at(2.9), dueAt)).not.toContain(id)
  // A machine that was asleep until now has seen nothing.
  expect(await watch(at(50), at(49).now())).not.toContain(id)
  // Two watchers see it at the same moment, and it dies once.
  const seen = await Promise.all([watch(at(3.1), dueAt), watch(at(3.1), dueAt)])
  expect(seen.flat()).toContain(id)
  await workUntil('DeathCompleted', [id])
  const names = await namesOf(id)
  for (const once of ['heartbeat.anomaly', 'DeathProtocolStarted', 'DeathCompleted'])
    expect(names.filter((name) => name === once)).toHaveLength(1)
  expect(await watch(at(3.1), dueAt)).toEqual([])
})

it('ends what no owner answered in time, while it watches', async () => {
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
