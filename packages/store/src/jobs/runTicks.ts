import { BardoError, createGathering } from '@bardo/core'
import type { ConnectionOptions, JobWithMetadata, PgBoss } from 'pg-boss'
import type { Hash } from 'viem'
import type { Database, Query } from '../database/database.ts'
import { jobTable, tickQueue } from './tickQueue.ts'

/** One tick of one Golem, and this worker's claim to it. */
export type Tick = {
  readonly golem: Hash
  /** How often it was begun before and not brought to its end, by whomever. */
  readonly runs: number
  /** Aborted when the worker stops, or when the claim is lost: another worker has it then. */
  readonly signal: AbortSignal
  /** Asks the database whether the claim still stands. Worth it before anything that cannot be taken back. */
  isMine(): Promise<boolean>
}

/** How Golems are ticked. */
export type TickWork = {
  /** Ticks at once, at most. */
  readonly concurrency: number
  /** Does the tick and returns when the next one is; undefined if there is none. One that throws is tried again. */
  readonly tick: (tick: Tick) => Promise<number | undefined>
  /** Hears of every failure: a tick that threw, or a database that did not answer. */
  readonly onError: (error: unknown, golem: Hash | undefined) => void
  readonly signal: AbortSignal
  /** How often to look for ticks that are due, when there was none. */
  readonly pollMs?: number
}

type TickEnd = { readonly claim: Claim; readonly next: number | undefined }
type Claim = { readonly id: string; readonly golem: Hash; readonly runs: number }

/**
 * Ticks what is due until the work's signal is aborted. pg-boss would end a job by its id, whoever runs it: a worker
 * that was held up and comes back would end the run of the one that took over. Here every word about a job names the
 * run it is about, and counts only while that run is the current one.
 */
export async function runTicks(
  database: Database,
  boss: PgBoss,
  heartbeatSeconds: number,
  { concurrency, tick, onError, signal, pollMs = 500 }: TickWork,
): Promise<void> {
  const running = new Set<Promise<void>>()
  const finish = createGathering((ends: readonly TickEnd[]) => finishAll(database, boss, ends), { most: 500 })
  while (!signal.aborted) {
    const claims = await claimDue(boss, concurrency - running.size).catch((error: unknown) => {
      onError(error, undefined)
      return []
    })
    for (const claim of claims) {
      const run: Promise<void> = runTick(claim).finally(() => running.delete(run))
      running.add(run)
    }
    const isFull = running.size >= concurrency
    // Those that end together make room together.
    if (isFull) await Promise.race(running).then(() => new Promise((resolve) => setImmediate(resolve)))
    else if (claims.length === 0) await pause(pollMs, signal)
  }
  await Promise.all(running)

  async function runTick(claim: Claim): Promise<void> {
    const lost = new AbortController()
    const isMine = () => confirm(database.query, claim)
    const beat = setInterval(
      () => {
        isMine().then(
          (mine) => mine || lost.abort(new Error('another worker has this tick')),
          (error: unknown) => onError(error, claim.golem),
        )
      },
      (heartbeatSeconds * 1_000) / 4,
    )
    try {
      const { golem, runs } = claim
      const next = await tick({ golem, runs, signal: AbortSignal.any([signal, lost.signal]), isMine })
      const failure = await finish({ claim, next })
      if (failure) throw failure
    } catch (error) {
      onError(error, claim.golem)
      await giveBack(database, boss, claim, error).catch((failure: unknown) => onError(failure, claim.golem))
    } finally {
      clearInterval(beat)
    }
  }
}

async function claimDue(boss: PgBoss, batchSize: number): Promise<readonly Claim[]> {
  if (batchSize < 1) return []
  const jobs: JobWithMetadata[] = await boss.fetch(tickQueue, { batchSize, includeMetadata: true })
  return jobs.map(({ id, singletonKey, retryCount }) => ({
    id,
    golem: `0x${singletonKey?.slice(2) ?? ''}`,
    runs: retryCount,
  }))
}

/** A run is current while its job is active and was not begun again since. */
const isCurrent = "name = $1 AND id = $2 AND retry_count = $3 AND state = 'active'"
const runOf = ({ id, runs }: Claim) => [tickQueue, id, runs]

/** Renews the claim. False if it is lost. */
async function confirm(query: Query, claim: Claim): Promise<boolean> {
  const rows = await query(
    `UPDATE ${jobTable} SET heartbeat_on = now() WHERE ${isCurrent} RETURNING 1`,
    runOf(claim),
  )
  return rows.length > 0
}

/**
 * Replaces jobs by the next ones, at once: there is never a moment with two, nor one with none. What cannot be done for
 * many is done for each. Returns what went wrong with whom.
 */
async function finishAll(
  database: Database,
  boss: PgBoss,
  ends: readonly TickEnd[],
): Promise<readonly (Error | undefined)[]> {
  try {
    await database.transaction(({ query }) => replaceJobs(query, boss, ends))
    return ends.map(() => undefined)
  } catch (error) {
    if (ends.length === 1) return [error instanceof Error ? error : new Error(String(error))]
    const alone: (Error | undefined)[] = []
    for (const end of ends) alone.push(...(await finishAll(database, boss, [end])))
    return alone
  }
}

async function replaceJobs(query: Query, boss: PgBoss, ends: readonly TickEnd[]): Promise<void> {
  const rows = await query(
    `DELETE FROM ${jobTable} WHERE name = $1 AND state = 'active'
       AND (id, retry_count) IN (SELECT * FROM unnest($2::uuid[], $3::int[])) RETURNING id`,
    [tickQueue, ends.map(({ claim }) => claim.id), ends.map(({ claim }) => claim.runs)],
  )
  const ended = new Set(rows.map((row) => row['id']))
  const jobs = ends.flatMap(({ claim, next }) =>
    next !== undefined && ended.has(claim.id)
      ? [{ singletonKey: claim.golem, startAfter: new Date(next) }]
      : [],
  )
  if (jobs.length === 0) return
  const made = await boss.insert(tickQueue, jobs, { db: asBossDatabase(query), returnId: true })
  if (made?.length !== jobs.length)
    throw new BardoError('The next tick could not be set.', { code: 'INTERNAL' })
}

/** Lets the tick be tried again, by anybody, after a while. */
async function giveBack(database: Database, boss: PgBoss, claim: Claim, error: unknown) {
  await database.transaction(async ({ query }) => {
    const mine = await query(`SELECT 1 FROM ${jobTable} WHERE ${isCurrent} FOR UPDATE`, runOf(claim))
    if (mine.length === 0) return
    // Only what an error of ours says of itself: anything else may hold a secret.
    const reason = error instanceof BardoError ? error.toJSON() : { code: 'INTERNAL' }
    await boss.fail(tickQueue, claim.id, reason, { db: asBossDatabase(query) })
  })
}

function asBossDatabase(query: Query): NonNullable<ConnectionOptions['db']> {
  return { executeSql: async (text, values) => ({ rows: [...(await query(text, values))] }) }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end, { once: true })
  })
}
