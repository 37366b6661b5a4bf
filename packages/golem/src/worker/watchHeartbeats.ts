import { setTimeout as pause } from 'node:timers/promises'
import { decideDeath } from '@bardo/core'
import type { Golem, Store } from '@bardo/store'
import type { Hash } from 'viem'
import { changeRow } from '../death/writeState.ts'
import { fileRequest } from '../events/fileRequest.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import { recordEvents } from '../events/recordEvents.ts'
import { observe } from '../observeOnly/observeOnly.ts'
import { expireRequests } from '../requests/expireRequests.ts'
import type { GolemState } from '../state/golemState.ts'
import { readStoredState } from '../state/storedState.ts'
import { type Awake, stayAwake } from './awake.ts'
import { heartbeatAnomaly, leastMissedMs, unclaimedFor } from './missedTicks.ts'
import { overduePages } from './overduePages.ts'
import type { WorkerOptions } from './runWorker.ts'

/** Options of a watcher. */
export type WatchOptions = Pick<WorkerOptions, 'store' | 'clock' | 'summon' | 'onError'> & {
  /** A Golem that was unclaimed for less than this has missed nothing. Default: 15 minutes. */
  readonly missedAfterMs?: number
}

/** The result of a check of all Golems. */
export type Watched = {
  /**
   * Golems whose missed ticks are reported now: they are in observe-only mode, and their owners get a
   * request.
   */
  readonly reported: readonly Hash[]
  /** Golems whose death begins now: nothing was published for the whole signed grace period. */
  readonly abandoned: readonly Hash[]
}

/** The interval between two checks. */
const defaultWatchMs = 30_000
/** A job at this time is due by any clock. */
const longAgo = 0

/**
 * Watches until the signal is aborted. Only time that this process was running, with a reachable database,
 * counts as
 * missed. A process that also ticks Golems must provide the time at which its worker last looked for due
 * ticks with free
 * capacity: if its own worker is stuck, nothing counts either.
 */
export async function runWatch(
  options: WatchOptions & {
    readonly signal: AbortSignal
    readonly watchMs?: number
    /** When this process's own worker last looked. Omitted by a process that ticks nothing. */
    readonly lastLook?: () => number
  },
): Promise<void> {
  const { clock, signal, onError, lastLook, missedAfterMs = leastMissedMs } = options
  const { watchMs = Math.min(defaultWatchMs, missedAfterMs / 3) } = options
  const longestGapMs = 2 * watchMs
  let awake: Awake | undefined
  while (!signal.aborted) {
    const now = clock.now()
    const isStuck = lastLook !== undefined && now - lastLook() > longestGapMs
    awake = stayAwake(isStuck ? undefined : awake, now, longestGapMs)
    const look = watchHeartbeats(options, awake.since, awake.at).catch((error: unknown) => {
      awake = undefined
      onError(error, undefined)
    })
    await orAborted(look, signal)
    await pause(watchMs, undefined, { signal, ref: false }).catch(() => {})
  }
}

/** Waits for the work or the signal: an unresponsive node must not keep a process from ending. */
async function orAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let stop = () => {}
  const aborted = new Promise<void>((resolve) => {
    stop = resolve
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  await Promise.race([work, aborted])
  signal.removeEventListener('abort', stop)
}

/**
 * Checks once for Golems that no worker claims, as a process that has been running since a time. A Golem
 * without a job gets
 * one. A Golem that has missed its ticks enters observe-only mode, and its owner gets one request; the worker
 * that ticks
 * it again ends both. Its death begins only after the signed grace period without a publication on the chain.
 * Expired
 * owner requests are closed too.
 */
export async function watchHeartbeats(
  { store, clock, summon, onError, missedAfterMs = leastMissedMs }: WatchOptions,
  awakeSince: number,
  // One time for both: a process may be suspended between two reads of the clock.
  now: number = clock.now(),
): Promise<Watched> {
  const reported: Hash[] = []
  const abandoned: Hash[] = []
  await expireRequests(store).catch((error: unknown) => onError(error, undefined))
  for await (const overdue of overduePages(store, now)) {
    const idle = await store.jobs.idle(overdue.map(({ id }) => id))
    const jobless = overdue.filter(({ id }) => !idle.has(id))
    // A Golem that has a job by now keeps it.
    if (jobless.length > 0)
      await store.jobs.scheduleAll(jobless.map(({ id, nextTick = now }) => ({ golem: id, at: nextTick })))
    await Promise.all(
      overdue.map((golem) => watch(golem, idle.get(golem.id)).catch((e: unknown) => onError(e, golem.id))),
    )
  }
  return { reported, abandoned }

  async function watch({ id, status }: Golem, idleMs: number | undefined): Promise<void> {
    if (idleMs === undefined || (status !== 'alive' && status !== 'observing')) return
    const life = await store.golemStates.find(id)
    if (!life) return
    const state = readStoredState(life.state)
    const unclaimedMs = unclaimedFor(state, { now, awakeSince, idleMs })
    const anomaly = heartbeatAnomaly(state, unclaimedMs, missedAfterMs)
    if (!anomaly) return
    if (!isReported(state)) {
      if (await report(store, id, state, anomaly, now)) reported.push(id)
      return
    }
    const golem = await summon(id)
    const { graceSeconds } = (await golem.status()).permission.terms
    if (graceSeconds === 0 || unclaimedMs < graceSeconds * 1_000) return
    const { at, vitals } = await golem.look()
    const unpublishedSeconds = Number(at - vitals.lastUpdate)
    const silence = { graceSeconds, unclaimedSeconds: unclaimedMs / 1_000, unpublishedSeconds }
    const [trigger] = decideDeath({ now: at, silence })
    if (!trigger) return
    await golem.beginDeath(trigger)
    await withdrawMissedTicks(store, id)
    await store.jobs.schedule({ golem: id, at: longAgo })
    abandoned.push(id)
  }
}

/** Whether a watcher has reported missed ticks, and no worker has ticked the Golem since. */
export function isReported({ recovery }: Pick<GolemState, 'recovery'>): boolean {
  return recovery.type === 'observing' && recovery.reason === 'missedTicks'
}

/** Stores observe-only mode, one request and the events, once for any number of watchers. */
function report(
  store: Store,
  id: Hash,
  state: GolemState,
  anomaly: Extract<GolemEvent, { name: 'heartbeat.anomaly' }>,
  now: number,
): Promise<boolean> {
  const recovery = observe(state.recovery, 'missedTicks', Math.floor(now / 1_000), 1)
  const { reason, attempts, retryAt } = recovery
  const next: GolemState = { ...state, recovery, version: state.version + 1 }
  const request = `${id}:missed:${next.version}`
  return store.transaction(async (transaction) => {
    if (!(await transaction.golemStates.saveState(id, next.version, next))) return false
    await changeRow(transaction, id, { status: 'observing' })
    const body = { dueAt: state.nextTickAt }
    recordEvents(transaction, id, [anomaly, { name: 'recovery.observing', reason, attempts, retryAt }])
    await fileRequest(transaction, { id: request, golem: id, kind: 'missedTicks', body })
    return true
  })
}

/** Withdraws the request about missed ticks: a worker ticks the Golem again. */
export async function withdrawMissedTicks(store: Store, golem: Hash): Promise<void> {
  for (const { id, kind } of await store.ownerRequests.pending(golem)) {
    if (kind !== 'missedTicks') continue
    await store.transaction(async (transaction) => {
      if (!(await transaction.ownerRequests.answer(id, 'refused', { withdrawn: true }))) return
      recordEvents(transaction, golem, [{ name: 'owner.requestAnswered', request: id, granted: false }])
    })
  }
}
