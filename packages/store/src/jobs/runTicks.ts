import { setImmediate } from 'node:timers/promises'
import { BardoError, createBatcher } from '@bardo/core'
import type { ConnectionOptions, JobWithMetadata, PgBoss } from 'pg-boss'
import type { Hash } from 'viem'
import type { Database, Query } from '../database/database.ts'
import { asStoreErrors } from '../database/storeError.ts'
import { jobTable, tickQueue } from './tickQueue.ts'

/** One tick of one Golem, and this worker's claim to it. */
export type Tick = {
  readonly golem: Hash
  /** How often it was started before without ending, by any worker. */
  readonly runs: number
  /** Aborts when the worker stops, or when the claim is lost to another worker. */
  readonly signal: AbortSignal
  /** Whether the claim is still valid, by the database. Check it before anything irreversible. */
  isMine(): Promise<boolean>
}

/** How Golems are ticked. */
export type TickWork = {
  /** Maximum number of concurrent ticks. */
  readonly concurrency: number
  /**
   * Runs the tick and returns the time of the next one; undefined if there is none. A tick that throws is
   * retried.
   */
  readonly tick: (tick: Tick) => Promise<number | undefined>
  /** Receives every failure: a tick that threw, or a database that did not answer. */
  readonly onError: (error: unknown, golem: Hash | undefined) => void
  readonly signal: AbortSignal
  /** How often to check for due ticks after a check found none. */
  readonly pollMs?: number
  /** Called each time the database has returned the due ticks, while there was room for another tick. */
  readonly onLook?: () => void
  /** Called when the signal aborts, with the Golems whose ticks still run. */
  readonly onStop?: (running: readonly Hash[]) => void
  /** How long running ticks may continue after the signal. The rest is given back. Default: 5 seconds. */
  readonly stopMs?: number
}

type TickEnd = { readonly claim: Claim; readonly next: number | undefined }
type Claim = { readonly id: string; readonly golem: Hash; readonly runs: number }

const defaultStopMs = 5_000
/** The pause after the database did not answer. */
const outagePauseMs = 1_000
/** A worker stops after this many non-retryable failures in a row. */
const maxFailures = 5

/**
 * Runs due ticks until the signal aborts. Retries while the database does not answer; throws errors that are
 * not retryable. pg-boss would end a job by its id, whichever worker runs it: a delayed worker could end the
 * run of the one that took over. Here every statement about a job names its run, and applies only while that
 * run is current.
 */
export async function runTicks(
  database: Database,
  boss: PgBoss,
  heartbeatSeconds: number,
  work: TickWork,
): Promise<void> {
  const { concurrency, tick, onError, signal, pollMs = 500, onLook, onStop, stopMs = defaultStopMs } = work
  const running = new Map<Promise<void>, Claim>()
  // Claims that could not be returned to the database when their ticks failed.
  const unreturned = new Set<Claim>()
  const finish = createBatcher((ends: readonly TickEnd[]) => finishAll(database, boss, ends), { most: 500 })
  let failures = 0
  let isOver = false
  while (!signal.aborted) {
    const claims = await claimNext().catch(reportFailure)
    for (const claim of claims ?? []) {
      const run: Promise<void> = runTick(claim).finally(() => running.delete(run))
      running.set(run, claim)
    }
    const isFull = running.size >= concurrency
    if (claims === undefined) await pause(Math.max(pollMs, outagePauseMs), signal)
    // Ticks that end together make room together.
    else if (isFull) await firstOf([...running.keys()], signal).then(() => setImmediate())
    else if (claims.length === 0) await pause(pollMs, signal)
  }
  if (running.size > 0) onStop?.([...running.values()].map(({ golem }) => golem))
  const ended = new AbortController()
  const allEnded = Promise.all(running.keys()).finally(() => ended.abort())
  await Promise.race([allEnded, pause(stopMs, ended.signal)])
  // Another worker continues the rest: what they have sent is in the journal.
  isOver = true
  await Promise.all([...running.values()].map((claim) => giveBack(claim, undefined)))

  async function claimNext(): Promise<readonly Claim[]> {
    for (const claim of unreturned) await returnClaim(database, boss, claim, undefined)
    unreturned.clear()
    const room = concurrency - running.size
    const claims = await asStoreErrors(() => claimDue(boss, room))
    failures = 0
    if (room > 0) onLook?.()
    return claims
  }

  /** An outage ends by itself. Other repeated failures do not, and the service manager must see them. */
  function reportFailure(error: unknown): undefined {
    onError(error, undefined)
    failures = error instanceof BardoError && error.retryable ? 0 : failures + 1
    if (failures >= maxFailures) throw error
  }

  async function giveBack(claim: Claim, error: unknown): Promise<void> {
    await returnClaim(database, boss, claim, error).catch((failure: unknown) => {
      unreturned.add(claim)
      report(failure, claim.golem)
    })
  }

  /** After the worker has stopped, remaining ticks report nothing. */
  function report(error: unknown, golem: Hash): void {
    if (!isOver) onError(error, golem)
  }

  async function runTick(claim: Claim): Promise<void> {
    const lost = new AbortController()
    const isMine = () => confirm(database.query, claim)
    const heartbeat = setInterval(
      () => {
        if (isOver) return clearInterval(heartbeat)
        isMine().then(
          (mine) => mine || lost.abort(new Error('another worker has claimed this tick')),
          (error: unknown) => report(error, claim.golem),
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
      report(error, claim.golem)
      if (!isOver) await giveBack(claim, error)
    } finally {
      clearInterval(heartbeat)
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

/** A run is current while its job is active and was not started again since. */
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
 * Replaces jobs with the next ones, atomically: there are never two and never none. If it fails for all
 * together, it is done for each one. Returns the errors, in order.
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
    const results: (Error | undefined)[] = []
    for (const end of ends) results.push(...(await finishAll(database, boss, [end])))
    return results
  }
}

async function replaceJobs(query: Query, boss: PgBoss, ends: readonly TickEnd[]): Promise<void> {
  const rows = await query(
    `DELETE FROM ${jobTable} WHERE name = $1 AND state = 'active' AND id = ANY($2)
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
    throw new BardoError('The next tick could not be scheduled.', { code: 'INTERNAL' })
}

/** Lets any worker retry the tick after a while. */
async function returnClaim(database: Database, boss: PgBoss, claim: Claim, error: unknown) {
  await database.transaction(async ({ query }) => {
    const mine = await query(`SELECT 1 FROM ${jobTable} WHERE ${isCurrent} FOR UPDATE`, runOf(claim))
    if (mine.length === 0) return
    // Only the content of a BardoError: any other message may contain a secret.
    const reason = error instanceof BardoError ? error.toJSON() : { code: 'INTERNAL' }
    await boss.fail(tickQueue, claim.id, reason, { db: asBossDatabase(query) })
  })
}

function asBossDatabase(query: Query): NonNullable<ConnectionOptions['db']> {
  return { executeSql: async (text, values) => ({ rows: [...(await query(text, values))] }) }
}

/** Waits until the first of these has ended, or the signal aborts. */
async function firstOf(runs: readonly Promise<void>[], signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = () => resolve()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  await Promise.race([promise, ...runs])
  signal.removeEventListener('abort', stop)
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
    if (signal.aborted) end()
  })
}
