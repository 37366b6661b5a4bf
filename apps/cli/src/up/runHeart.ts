import { setTimeout as pause } from 'node:timers/promises'
import { createSharedReader } from '@bardo/chain'
import { createGolem, runWorker, watchHeartbeats } from '@bardo/golem'
import type { Hash } from 'viem'
import type { Place } from '../place/openPlace.ts'

/** How often it is looked for Golems that nobody ticks, and for requests whose time is over. Origin: ours. */
const watchMs = 30_000

/** Ticks the Golems of a place and watches over them, until the signal is aborted. */
export async function runHeart(
  place: Place,
  options: {
    readonly signal: AbortSignal
    readonly concurrency: number
    readonly pollMs?: number
    readonly onError: (error: unknown, golem: Hash | undefined) => void
  },
): Promise<void> {
  const { store, clock, chain } = place
  const { signal, onError } = options
  const reader = createSharedReader(chain.client, chain.deployment)
  const summon = async (id: Hash) => createGolem({ ...(await place.partsOf(id)), reader })
  const since = clock.now()
  await Promise.all([runWorker({ store, clock, summon, ...options }), watch()])

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      await watchHeartbeats({ store, clock, summon, onError }, since)
      await pause(watchMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }
}
