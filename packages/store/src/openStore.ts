import { BardoError, type Clock, type Journal } from '@bardo/core'
import type { Hash } from 'viem'
import type { Database } from './database/database.ts'
import { openPglite } from './database/pgliteDatabase.ts'
import { openPostgres } from './database/postgresDatabase.ts'
import { type Audit, createAudit } from './events/audit.ts'
import { appendEvents, createEvents, type Events } from './events/events.ts'
import type { NewEvent } from './events/storedEvent.ts'
import { createJobs, type Jobs, type JobsOptions } from './jobs/jobs.ts'
import { createJournal } from './journal/journal.ts'
import { migrate } from './migrations/migrate.ts'
import { migrations } from './migrations/migrations.ts'
import { type LedgerPosting, ledgerMoved, postLedger } from './repositories/ledger.ts'
import { createRepositories, type Repositories } from './repositories/repositories.ts'
import { createTicks, type Ticks } from './repositories/ticks.ts'

/** Where the data is: in a local folder, or in a PostgreSQL server. */
export type StoreOptions = {
  readonly clock: Clock
  readonly jobs?: JobsOptions
} & (
  | {
      /** The data folder. The database is `<home>/db`, and only one process can open it at a time. */
      readonly home: string
      /** A PostgreSQL server instead, for any number of processes. */
      readonly databaseUrl?: string | undefined
    }
  | { readonly home?: string | undefined; readonly databaseUrl: string }
)

/** Writes that are committed together. */
export type Transaction = Repositories & {
  /** Appends these events at the commit, after everything else. */
  record(events: readonly NewEvent[]): void
  /**
   * Adds to a Golem's ledger, and records the hashes in the audit chain. A source that is stored already adds nothing.
   * Throws if the ledger has grown since `after`.
   */
  post(golem: Hash, posting: LedgerPosting): Promise<void>
}

/** Everything that Bardo stores. */
export type Store = Repositories &
  AsyncDisposable & {
    /** The source of truth about transactions. Each of its writes is its own transaction. */
    readonly journal: Journal
    readonly events: Events
    readonly ticks: Ticks
    readonly audit: Audit
    readonly jobs: Jobs
    transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
    close(): Promise<void>
  }

/**
 * Opens the store and migrates its schema.
 *
 * @example
 * await using store = await openStore({ home: '/home/me/.bardo', clock })
 * await store.events.append([{ golem, name: 'custody.modeSelected', body: { mode: 'delegation' } }])
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { clock } = options
  const { database, boss } = await connect(options)
  try {
    await migrate(database, migrations, clock.now())
  } catch (error) {
    await database.close()
    throw error
  }
  const events = createEvents(database, clock)
  const jobs = createJobs(database, boss, options.jobs)

  async function close() {
    await jobs.close()
    await events.close()
    await database.close()
  }

  return {
    ...createRepositories(database.query, clock),
    journal: createJournal(database.query),
    events,
    ticks: createTicks(database, clock),
    audit: createAudit(database.query),
    jobs,
    transaction: (work) => runTransaction(database, clock, work),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function connect({ home, databaseUrl, clock }: StoreOptions) {
  if (databaseUrl) {
    return { database: openPostgres(databaseUrl, clock), boss: { connectionString: databaseUrl } }
  }
  if (!home)
    throw new BardoError('The store needs a data folder or a database URL.', { code: 'INVALID_INPUT' })
  const database = await openPglite(home, clock.now())
  return { database, boss: { pglite: database.pglite } }
}

function runTransaction<Result>(
  database: Database,
  clock: Clock,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async ({ query }) => {
    const events: NewEvent[] = []
    const result = await work({
      ...createRepositories(query, clock),
      record: (added) => {
        events.push(...added)
      },
      async post(golem, posting) {
        const posted = await postLedger(query, [{ golem, ...posting }])
        if (posted.isStale) throw ledgerMoved()
        events.push(...posted.events)
      },
    })
    // Last: from here to the commit no other writer can append.
    if (events.length > 0) await appendEvents(query, events, clock.now())
    return result
  })
}
