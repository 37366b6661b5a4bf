import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '../openStore.ts'
import { id } from '../testing/samples.ts'
import { type PostgresServer, startPostgres } from '../testing/startPostgres.ts'
import { systemClock } from '../testing/systemClock.ts'
import { openPostgres } from './postgresDatabase.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server[Symbol.asyncDispose]())

it('a subscription continues from its position after its connection is lost', async () => {
  const databaseUrl = await server.createDatabase()
  await using store = await openStore({ databaseUrl, clock: systemClock })
  const database = openPostgres(databaseUrl, systemClock)
  const stop = new AbortController()
  const first = Promise.withResolvers<void>()
  const names: string[] = []
  const append = (name: string) => store.events.append([{ golem: id(1), name, body: null }])
  const reading = (async () => {
    for await (const { name } of store.events.subscribe({ after: 0, signal: stop.signal })) {
      names.push(name)
      if (name === 'before') first.resolve()
      if (name === 'meanwhile') stop.abort()
    }
  })()
  await append('before')
  await first.promise
  // No connection listens when this event is announced: the reconnect finds it.
  const ended = await database.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
  )
  expect(ended).toHaveLength(1)
  await append('meanwhile')
  await reading
  expect(names).toEqual(['before', 'meanwhile'])
  await database.close()
})

it('a lost connection is reported as STORE_UNAVAILABLE, and the next query uses a new one', async () => {
  const databaseUrl = await server.createDatabase()
  const database = openPostgres(databaseUrl, systemClock)
  const cut = database.transaction(({ query }) => query('SELECT pg_terminate_backend(pg_backend_pid())'))
  await expect(cut).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', outcome: 'unknown', retryable: true })
  expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  await database.close()
})

it('an unreachable server and a refused login are reported without the password', async () => {
  const databaseUrl = new URL(await server.createDatabase())
  databaseUrl.password = 'wr0ng'
  const refused = await openStore({ databaseUrl: databaseUrl.href, clock: systemClock }).catch(String)
  expect(refused).toMatch(/PostgreSQL refused the login[\s\S]*DATABASE_URL/)
  databaseUrl.port = '1'
  const absent = await openStore({ databaseUrl: databaseUrl.href, clock: systemClock }).catch(String)
  expect(absent).toMatch(/The database does not answer[\s\S]*ECONNREFUSED/)
  expect(`${refused}${absent}`).not.toContain('wr0ng')
})
