import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Database } from '../database/database.ts'
import { openPglite } from '../database/pgliteDatabase.ts'
import { openPostgres } from '../database/postgresDatabase.ts'
import { createJobs, type Jobs, type JobsOptions } from '../jobs/jobs.ts'
import { openStore, type Store, type StoreOptions } from '../openStore.ts'
import { copyEmptyPglite, emptyPglite } from './emptyPglite.ts'
import { type PostgresServer, startPostgres } from './startPostgres.ts'
import { systemClock } from './systemClock.ts'

/** A place for a store: an empty folder, or an empty database on a server. */
export type TestDatabase = {
  readonly kind: 'pglite' | 'postgres'
  /** The folder or the database. */
  readonly location: { readonly home: string } | { readonly databaseUrl: string }
  /** Opens the store there. */
  open(options?: Partial<Pick<StoreOptions, 'clock' | 'jobs'>>): Promise<Store>
  /** Opens the underlying database. With PGlite, no store may be open meanwhile. */
  openDatabase(): Promise<Database>
  /** The same, with its jobs. */
  openJobs(options?: JobsOptions): Promise<{ database: Database; jobs: Jobs; close(): Promise<void> }>
}

// The first database takes two seconds on an idle processor.
const onBusyMachineMs = 120_000

/** Runs the same tests on both databases. `newDatabase` returns an empty one. */
export function eachDatabase(
  name: string,
  tests: (newDatabase: () => Promise<TestDatabase>, kind: TestDatabase['kind']) => void,
) {
  describe.each(['pglite', 'postgres'] as const)(`${name}, on %s`, (kind) => {
    let server: PostgresServer | undefined
    const folders: string[] = []

    beforeAll(async () => {
      if (kind === 'postgres') server = await startPostgres()
      else await emptyPglite()
    }, onBusyMachineMs)
    afterAll(async () => {
      await server?.[Symbol.asyncDispose]()
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    })

    tests(async () => {
      if (server) return testDatabaseAt(kind, { databaseUrl: await server.createDatabase() })
      const home = await mkdtemp(join(tmpdir(), 'bardo-store-'))
      folders.push(home)
      await copyEmptyPglite(home)
      return testDatabaseAt(kind, { home })
    }, kind)
  })
}

function testDatabaseAt(kind: TestDatabase['kind'], location: TestDatabase['location']): TestDatabase {
  const connect = async () => {
    if ('databaseUrl' in location) {
      const { databaseUrl } = location
      return { database: openPostgres(databaseUrl, systemClock), boss: { connectionString: databaseUrl } }
    }
    const database = await openPglite(location.home, systemClock.now())
    return { database, boss: { pglite: database.pglite } }
  }
  return {
    kind,
    location,
    open: (options) => openStore({ clock: systemClock, ...options, ...location }),
    openDatabase: async () => (await connect()).database,
    async openJobs(options) {
      const { database, boss } = await connect()
      const jobs = createJobs(database, boss, options)
      const close = async () => {
        await jobs.close()
        await database.close()
      }
      return { database, jobs, close }
    },
  }
}
