import type { Hash } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore, type Store } from './openStore.ts'
import { id, sampleGolem } from './testing/samples.ts'
import { type PostgresServer, startPostgres } from './testing/startPostgres.ts'
import { startStoreProcess } from './testing/startStoreProcess.ts'
import { systemClock } from './testing/systemClock.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
}, 120_000)
afterAll(() => server[Symbol.asyncDispose]())

const open = (databaseUrl: string) =>
  openStore({ databaseUrl, clock: systemClock, jobs: { heartbeatSeconds: 10 } })

it('gives each nonce and each capability to one of three processes', async () => {
  const databaseUrl = await server.createDatabase()
  await using store = await open(databaseUrl)
  await store.golems.create(sampleGolem(1))
  const numbers = Array.from({ length: 50 }, (_, n) => n)
  for (const n of numbers) {
    const hashes = { golem: id(1), actionHash: id(2), policyHash: id(3) }
    const times = { mintedAtTick: 0, expiresAtTick: 1, mintedAt: 1 }
    const capability = { capabilityId: `capability ${n}`, ...hashes, valueLimitCents: 1n, ...times }
    await store.capabilities.mint(capability, { most: 50, since: 0 })
  }
  const racers = ['a', 'b', 'c'].map((name) => startStoreProcess({ databaseUrl }, 'race', { argument: name }))
  await Promise.all(racers.map((racer) => racer.printed((line) => line === 'closed')))
  const won = racers.flatMap(({ lines }) => lines.filter((line) => /^(nonce|capability)/.test(line)))
  expect(won.sort()).toEqual(numbers.flatMap((n) => [`nonce ${n}`, `capability ${n}`]).sort())
}, 60_000)

it('eight workers tick 200 Golems, each by one worker at a time, and take over from a killed one', async () => {
  const databaseUrl = await server.createDatabase()
  const hanging = startStoreProcess({ databaseUrl }, 'hang')
  await hanging.printed((line) => line === 'open')
  const stores = await Promise.all(Array.from({ length: 7 }, () => open(databaseUrl)))
  const [watcher] = stores
  if (!watcher) throw new Error('no store')
  const golems = Array.from({ length: 200 }, (_, n) => id(n + 1))
  await watcher.jobs.scheduleAll(golems.map((golem) => ({ golem, at: Date.now() })))

  // One worker claims four Golems and is killed; the seven others take them over.
  const isBegin = (line: string) => line.startsWith('begin')
  await hanging.printed(() => hanging.lines.filter(isBegin).length === 4)
  await hanging.kill()
  const left = new Set(hanging.lines.filter(isBegin).map((line) => line.slice('begin '.length)))
  expect(left.size).toBe(4)

  const stop = new AbortController()
  const errors: unknown[] = []
  const working = stores.map((store, n) => tickAll(store, `worker ${n}`, stop.signal, errors))
  const holders = new Map<Hash, string>()
  const ticks = new Map<Hash, number>()
  const workers = new Set<string>()
  for await (const { golem, name, body } of watcher.events.subscribe({ after: 0, signal: stop.signal })) {
    const { worker } = body as { worker: string }
    if (worker === 'hanging') continue
    workers.add(worker)
    if (name === 'begin') {
      expect(holders.get(golem)).toBeUndefined()
      holders.set(golem, worker)
    } else {
      expect(holders.get(golem)).toBe(worker)
      holders.delete(golem)
      ticks.set(golem, (ticks.get(golem) ?? 0) + 1)
    }
    if (golems.every((each) => (ticks.get(each) ?? 0) >= (left.has(each) ? 1 : 2))) stop.abort()
  }
  await Promise.all(working)
  expect(errors).toEqual([])
  expect(workers.size).toBe(7)
  expect(await watcher.audit.verify()).toMatchObject({ type: 'intact' })
  await Promise.all(stores.map((store) => store.close()))
}, 90_000)

function tickAll(store: Store, worker: string, signal: AbortSignal, errors: unknown[]): Promise<void> {
  return store.jobs.work({
    concurrency: 4,
    pollMs: 100,
    signal,
    onError: (error) => errors.push(error),
    tick: async ({ golem }) => {
      await store.events.append([{ golem, name: 'begin', body: { worker } }])
      await store.events.append([{ golem, name: 'end', body: { worker } }])
      return Date.now() + 4_000
    },
  })
}
