import type { Clock } from '@bardo/core'
import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import { eventToJson } from '../events/eventToJson.ts'
import { heartbeatAnomaly } from '../heartbeat/missedTicks.ts'
import type { LivingGolem } from './createGolem.ts'
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
}

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
  const { store, clock, summon, concurrency, signal, onError, pollMs } = options
  const overdue = await store.golems.overdue(clock.now())
  await store.jobs.scheduleAll(overdue.map(({ id, nextTick = clock.now() }) => ({ golem: id, at: nextTick })))
  await store.jobs.work({
    concurrency,
    signal,
    onError,
    ...(pollMs !== undefined && { pollMs }),
    async tick({ golem }) {
      const result = await (await summon(golem)).tick()
      if (result.is === 'ticked') return result.state.nextTickAt * 1_000
      // Overtaken: whoever was faster wrote when the next one is.
      if (result.is === 'overtaken') return (await store.golems.find(golem))?.nextTick
      return result.phase === 'over' ? undefined : clock.now() + dyingPauseMs
    },
  })
}

/**
 * Looks for Golems that nobody ticks, as a worker that has watched since a moment, and ends those that have missed too
 * many. Returns them. A machine that slept itself has watched nothing meanwhile.
 */
export async function watchHeartbeats(
  { store, clock, summon }: Pick<WorkerOptions, 'store' | 'clock' | 'summon'>,
  watchingSince: number,
): Promise<readonly Hash[]> {
  const now = clock.now()
  const gone: Hash[] = []
  for (const { id, status } of await store.golems.overdue(now)) {
    if (status === 'dying' || status === 'dead') continue
    const life = await store.lives.find(id)
    const state = life && readStoredState(life.state)
    const anomaly = state && heartbeatAnomaly(state, watchingSince / 1_000, now / 1_000)
    if (!anomaly) continue
    await store.events.append([{ golem: id, name: anomaly.name, body: eventToJson(anomaly) }])
    await (await summon(id)).end('heartbeatAnomaly')
    gone.push(id)
  }
  return gone
}
