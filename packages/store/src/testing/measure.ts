/**
 * Throughput of the store on both databases: `node packages/store/src/testing/measure.ts`. PostgreSQL waits
 * for the disk here, as in production.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type StoreOptions } from '../openStore.ts'
import { id } from './samples.ts'
import { startPostgres } from './startPostgres.ts'
import { systemClock } from './systemClock.ts'

const event = (n: number) => ({
  golem: id(n % 100),
  name: 'sessionKey.operationSigned',
  body: { operationHash: id(n), valueCents: BigInt(n), remainingCents: 10_000n },
})

async function rate(count: number, work: () => Promise<unknown>): Promise<string> {
  const started = performance.now()
  await work()
  const milliseconds = performance.now() - started
  return `${Math.round((count * 1_000) / milliseconds)}/s (${count} in ${Math.round(milliseconds)} ms)`
}

async function measure(
  name: string,
  location: Pick<StoreOptions, 'home' | 'databaseUrl'> & { home: string },
) {
  await using store = await openStore({ ...location, clock: systemClock })
  const report = (what: string, result: string) =>
    console.log(`${name.padEnd(10)} ${what.padEnd(44)} ${result}`)
  const range = (count: number) => Array.from({ length: count }, (_, n) => n)

  report(
    'events, one at a time',
    await rate(1_000, async () => {
      for (const n of range(1_000)) await store.events.append([event(n)])
    }),
  )
  report(
    'events, by 100',
    await rate(20_000, async () => {
      for (const n of range(200)) await store.events.append(range(100).map((m) => event(100 * n + m)))
    }),
  )
  report(
    'events, one at a time, 8 writers',
    await rate(2_000, () =>
      Promise.all(
        range(8).map(async () => {
          for (const n of range(250)) await store.events.append([event(n)])
        }),
      ),
    ),
  )
  report('events verified', await rate(23_000, () => store.audit.verify()))

  await store.jobs.cancel(id(0))
  const hour = 3_600_000
  const requests = range(10_000).map((n) => ({ golem: id(n), at: Date.now() + hour }))
  report('ticks scheduled, 10,000 at once', await rate(10_000, () => store.jobs.scheduleAll(requests)))
  report(
    'ticks moved, one at a time, 10,000 waiting',
    await rate(1_000, async () => {
      for (const n of range(1_000)) await store.jobs.schedule({ golem: id(n), at: Date.now() })
    }),
  )
  const stop = new AbortController()
  let ticked = 0
  report(
    'ticks done by one worker, 10,000 waiting',
    await rate(1_000, () =>
      store.jobs.work({
        concurrency: 8,
        signal: stop.signal,
        onError: (error) => console.error(error),
        tick: async () => {
          ticked += 1
          if (ticked === 1_000) stop.abort()
          return Date.now()
        },
      }),
    ),
  )
}

const home = await mkdtemp(join(tmpdir(), 'bardo-measure-'))
await measure('PGlite', { home })
const server = await startPostgres({ durable: true })
await measure('PostgreSQL', { home, databaseUrl: await server.createDatabase() })
await server[Symbol.asyncDispose]()
await rm(home, { recursive: true })
