import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Clock } from '@bardo/core'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Database } from '../database/database.ts'
import { openPglite } from '../database/pgliteDatabase.ts'
import { openPostgres } from '../database/postgresDatabase.ts'
import { openStore, type Store, type StoreOptions } from '../openStore.ts'
import { emptyPglite } from './emptyPglite.ts'
import { type PostgresServer, startPostgres } from './startPostgres.ts'

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (milliseconds) => {
    await setTimeout(milliseconds)
  },
}

/** A place for stores: an empty folder, or an empty database of a server. */
export type Place = {
  readonly kind: 'pglite' | 'postgres'
  /** Where everything of it is. */
  readonly location: { readonly home: string } | { readonly databaseUrl: string }
  /** Opens the store that is there. */
  open(options?: Partial<Pick<StoreOptions, 'clock' | 'jobs'>>): Promise<Store>
  /** Opens the database beneath, past the store. On PGlite no store may be open meanwhile. */
  openDatabase(): Promise<Database>
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
  return {
    kind,
    location,
    open: (options) => openStore({ clock: systemClock, ...options, ...location }),
    openDatabase: async () =>
      'home' in location
        ? openPglite(location.home, systemClock.now())
        : openPostgres(location.databaseUrl, systemClock),
  }
}
