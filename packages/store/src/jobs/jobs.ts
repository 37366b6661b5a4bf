import type { PGlite } from '@electric-sql/pglite'
import { type ConstructorOptions, fromPglite, PgBoss } from 'pg-boss'
import type { Hash } from 'viem'
import type { Database } from '../database/database.ts'
import { queryTimeoutMs } from '../database/postgresDatabase.ts'
import { runTicks, type TickWork } from './runTicks.ts'
import { jobSchema, jobTable, tickQueue } from './tickQueue.ts'

/** How long a crashed worker keeps its ticks, in seconds. At least 10. */
export type JobsOptions = { readonly heartbeatSeconds?: number }

/** When to tick a Golem. */
export type TickRequest = { readonly golem: Hash; readonly at: number }

/** Future ticks. A Golem has at most one, waiting or running: the database refuses a second. */
export type Jobs = {
  /** Sets the Golem's next tick. False if a tick is running: it determines the next one itself. */
  schedule(request: TickRequest): Promise<boolean>
  /** The same for many Golems. Those that already have a tick keep it. */
  scheduleAll(requests: readonly TickRequest[]): Promise<void>
  /** Cancels a waiting tick. False if none waits; a running tick is not stopped. */
  cancel(golem: Hash): Promise<boolean>
  /**
   * For how many milliseconds no worker has held each Golem's tick, by the database's clock: 0 while a worker
   * holds it; since the tick was scheduled if no worker has held it yet. Omits Golems without a tick.
   */
  idle(golems: readonly Hash[]): Promise<ReadonlyMap<Hash, number>>
  /** Runs due ticks until the signal aborts and the running ticks have ended or are given back. */
  work(work: TickWork): Promise<void>
}

/** How pg-boss connects to the database. */
export type BossConnection = { readonly connectionString: string } | { readonly pglite: PGlite }

const defaultHeartbeatSeconds = 30
const yearSeconds = 365 * 24 * 60 * 60

/** A tick is retried until it succeeds or is cancelled: otherwise a failing Golem would never tick again. */
const queueSettings = {
  policy: 'exclusive',
  retryLimit: 1_000_000_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: yearSeconds,
} as const

/** Matches the unique index that prevents a second tick, so that the planner uses it. */
const isWaiting =
  "name = $1 AND COALESCE(singleton_key, '') = $2 AND state < 'active' AND policy = 'exclusive'"

/** The jobs of a database. pg-boss starts at the first use. */
export function createJobs(
  database: Database,
  connection: BossConnection,
  { heartbeatSeconds = defaultHeartbeatSeconds }: JobsOptions = {},
): Jobs & { close(): Promise<void> } {
  let started: Promise<PgBoss> | undefined
  // How often pg-boss checks for crashed workers.
  const watchSeconds = Math.max(1, Math.floor(heartbeatSeconds / 5))

  async function start(): Promise<PgBoss> {
    const intervals = { superviseIntervalSeconds: watchSeconds, monitorIntervalSeconds: watchSeconds }
    const boss = new PgBoss({
      ...settingsOf(connection),
      ...intervals,
      schema: jobSchema,
      schedule: false,
      useListenNotify: false,
    })
    // pg-boss retries its own maintenance; errors of a tick reach the worker.
    boss.on('error', () => {})
    await boss.start()
    await boss.createQueue(tickQueue, { ...queueSettings, heartbeatSeconds })
    return boss
  }
  const getBoss = () => {
    started ??= start().catch((error: unknown) => {
      // A short outage of the database must not fail every later call.
      started = undefined
      throw error
    })
    return started
  }

  return {
    async schedule({ golem, at }) {
      const boss = await getBoss()
      const startAfter = new Date(at)
      const move = async () => {
        const moved = await database.query(
          `UPDATE ${jobTable} SET start_after = $3 WHERE ${isWaiting} RETURNING 1`,
          [tickQueue, golem.toLowerCase(), startAfter],
        )
        return moved.length > 0
      }
      if (await move()) return true
      const sent = await boss.send(tickQueue, {}, { singletonKey: golem.toLowerCase(), startAfter })
      // Refused: another call has just scheduled one, or it is running.
      return sent !== null || move()
    },

    async scheduleAll(requests) {
      const boss = await getBoss()
      const jobs = requests.map(({ golem, at }) => ({
        singletonKey: golem.toLowerCase(),
        startAfter: new Date(at),
      }))
      await boss.insert(tickQueue, jobs)
    },

    async cancel(golem) {
      await getBoss()
      const rows = await database.query(`DELETE FROM ${jobTable} WHERE ${isWaiting} RETURNING 1`, [
        tickQueue,
        golem.toLowerCase(),
      ])
      return rows.length > 0
    },

    async idle(golems) {
      await getBoss()
      const rows = await database.query(
        `SELECT singleton_key AS golem, CASE
             WHEN state = 'active' AND heartbeat_on + heartbeat_seconds * interval '1s' > now() THEN 0
             ELSE extract(epoch FROM now() - greatest(created_on, started_on, heartbeat_on)) * 1000
           END AS idle
         FROM ${jobTable} WHERE name = $1 AND singleton_key = ANY($2) AND state <= 'active'`,
        [tickQueue, golems.map((golem) => golem.toLowerCase())],
      )
      const idle = new Map(rows.map((row) => [String(row['golem']), Number(row['idle'])]))
      return new Map(
        golems.flatMap((golem) => {
          const milliseconds = idle.get(golem.toLowerCase())
          return milliseconds === undefined ? [] : [[golem, milliseconds]]
        }),
      )
    },

    async work(work) {
      const boss = await getBoss()
      await runTicks(database, boss, heartbeatSeconds, work)
    },

    async close() {
      const boss = await started?.catch(() => undefined)
      await boss?.stop({ graceful: false, close: true })
    },
  }
}

function settingsOf(connection: BossConnection): ConstructorOptions {
  if ('pglite' in connection) return { db: fromPglite(connection.pglite), backend: 'pglite' }
  const { connectionString } = connection
  // pg-boss passes its settings on to the driver.
  const settings = { connectionString, application_name: 'bardo jobs', max: 4, query_timeout: queryTimeoutMs }
  return settings
}
