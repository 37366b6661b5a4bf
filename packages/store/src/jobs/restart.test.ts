import type { Hash } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore, type Store } from '../openStore.ts'
import { id } from '../testing/samples.ts'
import { type PostgresServer, startPostgres } from '../testing/startPostgres.ts'
import { systemClock } from '../testing/systemClock.ts'

let server: PostgresServer
let store: Store
beforeAll(async () => {
  server = await startPostgres()
  const databaseUrl = await server.createDatabase()
  // A claim lasts longer than any test here: a tick that runs again was given back.
  store = await openStore({ databaseUrl, clock: systemClock, jobs: { heartbeatSeconds: 600 } })
})
afterAll(async () => {
  await store.close()
  await server[Symbol.asyncDispose]()
})

/** Works until the signal aborts; `ticks` waits for the next successful tick. */
/**
 * @param of - counts only ticks of this Golem: a tick whose end was not recorded before an outage runs again
 */
function work(tick: (golem: Hash) => Promise<void> = async () => {}, of?: Hash) {
  const stop = new AbortController()
  const errors: unknown[] = []
  const done: Hash[] = []
  let looked = Promise.withResolvers<void>()
  let ticked = Promise.withResolvers<Hash>()
  const ended = store.jobs.work({
    concurrency: 2,
    signal: stop.signal,
    pollMs: 20,
    onError: (error) => errors.push(error),
    onLook: () => {
      looked.resolve()
      looked = Promise.withResolvers()
    },
    async tick({ golem }) {
      if (of !== undefined && golem !== of) return undefined
      await tick(golem)
      done.push(golem)
      ticked.resolve(golem)
      ticked = Promise.withResolvers()
      return undefined
    },
  })
  return { stop, errors, done, ended, looks: () => looked.promise, ticks: () => ticked.promise }
}

it('resumes each time PostgreSQL comes back, and reports the outage', async () => {
  const { stop, errors, done, ended, looks } = work()
  for (const round of [1, 2]) {
    await looks()
    await server.stop()
    await expect.poll(() => errors.length, { timeout: 20_000 }).toBeGreaterThan(0)
    expect(errors.at(-1)).toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true })
    await server.start()
    await looks()
    await store.jobs.schedule({ golem: id(round), at: Date.now() })
    await expect.poll(() => done, { timeout: 20_000 }).toContain(id(round))
    errors.length = 0
  }
  stop.abort()
  await ended
}, 60_000)

it('gives back a tick that an outage interrupted, without waiting for its claim to expire', async () => {
  let runs = 0
  const begun = Promise.withResolvers<void>()
  const away = Promise.withResolvers<void>()
  const { stop, ended, looks, ticks } = work(async () => {
    runs += 1
    if (runs > 1) return
    begun.resolve()
    await away.promise
    await store.golems.list()
  }, id(10))
  await looks()
  await store.jobs.schedule({ golem: id(10), at: Date.now() })
  await begun.promise
  await server.stop()
  const again = ticks()
  away.resolve()
  await server.start()
  expect(await again).toBe(id(10))
  stop.abort()
  await ended
}, 60_000)

it('a subscription that fails during an outage can be opened again afterwards', async () => {
  const database = await openStore({ databaseUrl: await server.createDatabase(), clock: systemClock })
  const append = (name: string) => database.events.append([{ golem: id(1), name, body: null }])
  await append('first')
  await server.stop()
  const early = database.events.subscribe({ after: 0, signal: AbortSignal.timeout(50_000) })
  await expect(early[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  await server.start()
  await append('second')
  const names: string[] = []
  for await (const { name } of database.events.subscribe({ after: 0, signal: AbortSignal.timeout(50_000) })) {
    names.push(name)
    if (name === 'second') break
  }
  expect(names).toEqual(['first', 'second'])
  await database.close()
}, 60_000)
