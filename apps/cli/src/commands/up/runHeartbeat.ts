import { createSharedReader } from '@bardo/chain'
import { createGolem, runWatch, runWorker } from '@bardo/golem'
import type { Hash } from 'viem'
import type { Context } from '../../context/openContext.ts'
import type { ActivityLog } from './activityLog.ts'

/** How long running ticks may continue after the signal. Together with closing, it has to stay below ten seconds. */
const stopMs = 5_000

/** Runs the worker and the watch for missed ticks until the signal is aborted. If one of them fails, both end. */
export async function runHeartbeat(
  context: Context,
  options: {
    readonly signal: AbortSignal
    readonly concurrency: number
    readonly pollMs?: number
    /** See {@link runWatch}. */
    readonly missedAfterMs?: number
    readonly onTick?: (golem: Hash, what: 'begins' | 'ends') => void
    readonly log: Pick<ActivityLog, 'error' | 'databaseAnswers' | 'stopping'>
  },
): Promise<void> {
  const { store, clock, chain } = context
  const { concurrency, pollMs, missedAfterMs, onTick, log } = options
  const reader = createSharedReader(chain.client, chain.deployment)
  const summon = async (id: Hash) => createGolem({ ...(await context.partsOf(id)), reader })
  const failed = new AbortController()
  const signal = AbortSignal.any([options.signal, failed.signal])
  const common = { store, clock, summon, signal, onError: log.error }
  let lookedAt = clock.now()
  const onLook = () => {
    lookedAt = clock.now()
    log.databaseAnswers()
  }
  const both = [
    runWorker({
      ...common,
      concurrency,
      stopMs,
      onLook,
      onStop: (golems) => log.stopping(golems, stopMs),
      ...(pollMs !== undefined && { pollMs }),
      ...(onTick && { onTick }),
    }),
    runWatch({
      ...common,
      lastLook: () => lookedAt,
      ...(missedAfterMs !== undefined && { missedAfterMs }),
    }),
  ]
  try {
    await Promise.all(both)
  } finally {
    failed.abort()
    await Promise.allSettled(both)
  }
}
