import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Database } from '../database/database.ts'
import { openPglite } from '../database/pgliteDatabase.ts'
import { openPostgres } from '../database/postgresDatabase.ts'
import { createJobs, type Jobs, type JobsOptions } from '../jobs/jobs.ts'
import { openStore, type Store, type StoreOptions } from '../openStore.ts'
import { emptyPglite } from './emptyPglite.ts'
import { type PostgresServer, startPostgres } from './startPostgres.ts'
import { systemClock } from './systemClock.ts'

/** A place for stores: an empty folder, or an empty database of a server. */
export type Place = {
  readonly kind: 'pglite' | 'postgres'
  /** Where everything of it is. */
  readonly location: { readonly home: string } | { readonly databaseUrl: string }
  /** Opens the store that is there. */
  open(options?: Partial<Pick<StoreOptions, 'clock' | 'jobs'>>): Promise<Store>
  /** Opens the database beneath, past the store. On PGlite no store may be open meanwhile. */
  openDatabase(): Promise<Database>
  /** The same, with the jobs that are there. */
  openJobs(options?: JobsOptions): Promise<{ database: Database; jobs: Jobs; close(): Promise<void> }>
}

// The first database of all takes two seconds of a free processor.
const onBusyMachineMs = 120_000

/** Runs the same tests on both databases. `newPlace` gives an empty one. */
export function eachDatabase(
  name: string,
  tests: (newPlace: () => Promise<Place>, kind: Place['kind']) => void,
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
      if (server) return placeOf(kind, { databaseUrl: await server.createDatabase() })
      const home = await mkdtemp(join(tmpdir(), 'bardo-store-'))
      folders.push(home)
      await cp(await emptyPglite(), join(home, 'db'), { recursive: true })
      return placeOf(kind, { home })
    }, kind)
  })
}

function placeOf(kind: Place['kind'], location: Place['location']): Place {
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
