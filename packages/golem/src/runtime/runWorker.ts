import type { Clock } from '@bardo/core'
import type { Golem, Store } from '@bardo/store'
import type { Hash } from 'viem'
import { eventToJson } from '../events/eventToJson.ts'
import { heartbeatAnomaly } from '../heartbeat/missedTicks.ts'
import { expireRequests } from '../owner/expireRequests.ts'
import type { LivingGolem } from './createGolem.ts'
import { keepGolems } from './keepGolems.ts'
import { readStoredState } from './storedLife.ts'

/** How a worker works. */
export type WorkerOptions = {
  readonly store: Store
  readonly clock: Clock
  /** A Golem of the store, made ready. */
  summon(id: Hash): Promise<LivingGolem>
  readonly concurrency: number
  readonly signal: AbortSignal
  /** Hears of every tick that failed; it is tried again. */
  readonly onError: (error: unknown, golem: Hash | undefined) => void
  readonly pollMs?: number
  /** So many Golems are kept ready between two ticks; each takes some tens of kilobytes. */
  readonly keep?: number
}

/** Origin: ours; a busy fleet within a gigabyte. */
const defaultKeep = 10_000
/** A job of that time is due by any clock. */
const longAgo = 0
const yearMs = 365 * 86_400_000
/** So many rows are looked at in one go. */
const page = 100

/** A dying Golem that has to wait is looked at again after so long. Origin: ours. */
const dyingPauseMs = 10_000

/**
 * Ticks the Golems of a store as they are due, each by one worker at a time, until the signal is aborted. It begins with
 * those that nobody has taken up: what a dead worker left behind.
 *
 * @example
 * await runWorker({ store, clock, summon: (id) => createGolem(partsOf(id)), concurrency: 8, signal, onError })
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { store, clock, summon, concurrency, signal, onError, pollMs, keep = defaultKeep } = options
  const kept = keepGolems(store, summon, keep)
  for await (const overdue of overduePages(store, clock.now()))
    await store.jobs.scheduleAll(
      overdue.map(({ id, nextTick = clock.now() }) => ({ golem: id, at: nextTick })),
    )
  await store.jobs.work({
    concurrency,
    signal,
    onError,
    ...(pollMs !== undefined && { pollMs }),
    async tick({ golem, runs }) {
      // Whoever began it before may have left something on its way, which a new one looks for.
      if (runs > 0) kept.forget(golem)
      const result = await (await kept.find(golem)).tick()
      if (result.is === 'ticked') return result.state.nextTickAt * 1_000
      // Overtaken: whoever was faster wrote when the next one is.
      if (result.is === 'overtaken') return (await store.golems.find(golem))?.nextTick
      return result.phase === 'over' ? undefined : clock.now() + dyingPauseMs
    },
  })
}

/**
 * Looks for Golems that nobody ticks, as a worker that has watched since a moment, and begins the death of those that have
 * missed too many. Returns them. Their ticks go on with it, and several watchers begin it once. A machine that slept
 * itself has watched nothing meanwhile. Requests that no owner answered in time end with it.
 */
export async function watchHeartbeats(
  { store, clock, summon, onError }: Pick<WorkerOptions, 'store' | 'clock' | 'summon' | 'onError'>,
  watchingSince: number,
): Promise<readonly Hash[]> {
  const now = clock.now()
  const gone: Hash[] = []
  await expireRequests(store).catch((error: unknown) => onError(error, undefined))
  for await (const overdue of overduePages(store, now)) {
    const alive = overdue.filter(({ status }) => status !== 'dying' && status !== 'dead')
    await Promise.all(alive.map(({ id }) => watch(id).catch((error: unknown) => onError(error, id))))
  }
  return gone

  async function watch(id: Hash): Promise<void> {
    const life = await store.lives.find(id)
    const state = life && readStoredState(life.state)
    const anomaly = state && heartbeatAnomaly(state, watchingSince / 1_000, now / 1_000)
    if (!anomaly) return
    // Told once; the death is begun by whoever comes, since the one who told may have crashed over it.
    const told = `${anomaly.name}:${id}:${state.tick}`
    if ((await store.idempotencyKeys.claim(told, id, yearMs)).is === 'new')
      await store.events.append([{ golem: id, name: anomaly.name, body: eventToJson(anomaly) }])
    await (await summon(id)).doom('heartbeatAnomaly')
    await store.jobs.schedule({ golem: id, at: longAgo })
    gone.push(id)
  }
}

/** Golems whose tick was due before a moment, page by page. */
async function* overduePages({ golems }: Pick<Store, 'golems'>, before: number) {
  for (let after: Golem | undefined; ; ) {
    const found = await golems.overdue(before, { limit: page, ...(after && { after }) })
    if (found.length > 0) yield found
    if (found.length < page) return
    after = found.at(-1)
  }
}
