import type { PGlite } from '@electric-sql/pglite'
import { type ConstructorOptions, fromPglite, PgBoss } from 'pg-boss'
import type { Hash } from 'viem'
import type { Database } from '../database/database.ts'
import { runTicks, type TickWork } from './runTicks.ts'
import { jobSchema, jobTable, tickQueue } from './tickQueue.ts'

/** How long a dead worker keeps its ticks: at least 10 seconds. */
export type JobsOptions = { readonly heartbeatSeconds?: number }

/** A wish to tick a Golem. */
export type TickRequest = { readonly golem: Hash; readonly at: number }

/** Ticks to come. A Golem has one at most, waiting or running: the database refuses a second. */
export type Jobs = {
  /** Sets when the Golem is ticked next. False if it is being ticked just now: that tick says when the next one is. */
  schedule(request: TickRequest): Promise<boolean>
  /** The same for many that have none yet; those that do keep it. */
  scheduleAll(requests: readonly TickRequest[]): Promise<void>
  /** Takes a waiting tick back. False if none waits; one that runs goes on to its end. */
  cancel(golem: Hash): Promise<boolean>
  /** Ticks Golems that are due, until the signal is aborted and the last tick has ended. */
  work(work: TickWork): Promise<void>
}

/** How pg-boss reaches the database. */
export type BossConnection = { readonly connectionString: string } | { readonly pglite: PGlite }

const defaultHeartbeatSeconds = 30
const yearSeconds = 365 * 24 * 60 * 60

/** A tick is tried until it succeeds or is taken back: a Golem that nobody ticks any more would be forgotten. */
const queueSettings = {
  policy: 'exclusive',
  retryLimit: 1_000_000_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: yearSeconds,
} as const

/** In the words of the index that keeps a second one out, so that it is found by it. */
const isWaiting =
  "name = $1 AND COALESCE(singleton_key, '') = $2 AND state < 'active' AND policy = 'exclusive'"

/** The jobs of a database. pg-boss starts with the first use. */
export function createJobs(
  database: Database,
  connection: BossConnection,
  { heartbeatSeconds = defaultHeartbeatSeconds }: JobsOptions = {},
): Jobs & { close(): Promise<void> } {
  let started: Promise<PgBoss> | undefined
  // How often somebody looks for workers that are gone.
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
    // Its own upkeep is tried again by itself; what concerns a tick reaches whoever works.
    boss.on('error', () => {})
    await boss.start()
    await boss.createQueue(tickQueue, { ...queueSettings, heartbeatSeconds })
    return boss
  }
  const getBoss = () => {
    started ??= start()
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
      // Refused: somebody else has just set one, or it is running.
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

    async work(work) {
      const boss = await getBoss()
      await runTicks(database, boss, heartbeatSeconds, work)
    },

    async close() {
      const boss = await started
      await boss?.stop({ graceful: false, close: true })
    },
  }
}

function settingsOf(connection: BossConnection): ConstructorOptions {
  if ('pglite' in connection) return { db: fromPglite(connection.pglite), backend: 'pglite' }
  return { connectionString: connection.connectionString, application_name: 'bardo jobs', max: 4 }
}
