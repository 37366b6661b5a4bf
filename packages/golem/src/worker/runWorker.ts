import type { Clock } from '@bardo/core'
import type { Store, Tick, TickWork } from '@bardo/store'
import type { Hash } from 'viem'
import type { LivingGolem } from '../heartbeat/createGolem.ts'
import { readStoredState } from '../state/storedState.ts'
import { keepGolems } from './keepGolems.ts'
import { overduePages } from './overduePages.ts'
import { isReported, withdrawMissedTicks } from './watchHeartbeats.ts'

/** Options of a worker. */
export type WorkerOptions = Pick<TickWork, 'pollMs' | 'onLook' | 'onStop' | 'stopMs'> & {
  readonly store: Store
  readonly clock: Clock
  /** Creates a Golem of the store. */
  summon(id: Hash): Promise<LivingGolem>
  readonly concurrency: number
  readonly signal: AbortSignal
  /** Called for every failed tick; it is retried. */
  readonly onError: (error: unknown, golem: Hash | undefined) => void
  /** Called when this worker begins and ends a tick. */
  readonly onTick?: (golem: Hash, what: 'begins' | 'ends') => void
  /** The number of Golems to cache between two ticks; each takes some tens of kilobytes. */
  readonly keep?: number
}

// A busy fleet within a gigabyte.
const defaultKeep = 10_000

/** The interval between two checks of a dying Golem that has to wait. */
const dyingPauseMs = 10_000

/**
 * Ticks the Golems of a store when they are due, each by one worker at a time, until the signal is aborted.
 * It begins with
 * unclaimed ticks, which a crashed worker may have left.
 *
 * @example
 * await runWorker({ store, clock, summon: (id) => createGolem(partsOf(id)), concurrency: 8, signal, onError })
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { store, clock, summon, concurrency, signal, onError, keep = defaultKeep } = options
  const { pollMs, onLook, onStop, stopMs, onTick } = options
  const cache = keepGolems(store, summon, keep)
  for await (const overdue of overduePages(store, clock.now()))
    await store.jobs.scheduleAll(
      overdue.map(({ id, nextTick = clock.now() }) => ({ golem: id, at: nextTick })),
    )
  await store.jobs.work({
    concurrency,
    signal,
    onError,
    ...(pollMs !== undefined && { pollMs }),
    ...(stopMs !== undefined && { stopMs }),
    ...(onLook && { onLook }),
    ...(onStop && { onStop }),
    async tick(tick) {
      onTick?.(tick.golem, 'begins')
      try {
        return await tickOnce(tick)
      } finally {
        onTick?.(tick.golem, 'ends')
      }
    },
  })

  async function tickOnce({ golem, runs }: Pick<Tick, 'golem' | 'runs'>): Promise<number | undefined> {
    // An earlier process may have left a transaction in flight, which a newly created Golem looks for.
    if (runs > 0) cache.forget(golem)
    const [living, life] = await Promise.all([cache.find(golem), store.golemStates.find(golem)])
    // Withdraw first: after a crash in between, the state still shows the report, and the next tick withdraws
    // again.
    if (life && isReported(readStoredState(life.state))) await withdrawMissedTicks(store, golem)
    const result = await living.tick()
    if (result.type === 'ticked') return result.state.nextTickAt * 1_000
    // Another worker was faster, and stored the time of the next tick.
    if (result.type === 'overtaken') return (await store.golems.find(golem))?.nextTick
    return result.phase === 'over' ? undefined : clock.now() + dyingPauseMs
  }
}
