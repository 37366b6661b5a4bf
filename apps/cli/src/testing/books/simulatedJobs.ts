import type { Clock } from '@bardo/core'
import type { Store } from '@bardo/store'
import type { Hash } from 'viem'

type Jobs = Store['jobs']
type TickWork = Parameters<Jobs['work']>[0]

/** A queue of ticks on a clock that the test moves. pg-boss uses the database's clock, which cannot be moved. */
export type SimulatedJobs = Jobs & {
  /** Ticks a Golem now through the worker that called `work`. False if another tick of it is running. */
  tick(golem: Hash): Promise<boolean>
}

/** Creates the queue of one worker. */
export function createSimulatedJobs(clock: Pick<Clock, 'now'>): SimulatedJobs {
  const due = new Map<Hash, number>()
  /** When a tick of each Golem last ran, or was first scheduled. */
  const heldAt = new Map<Hash, number>()
  const running = new Set<Hash>()
  let work: TickWork | undefined

  const set = (golem: Hash, at: number) => {
    due.set(golem, at)
    if (!heldAt.has(golem)) heldAt.set(golem, clock.now())
  }

  return {
    async schedule({ golem, at }) {
      if (running.has(golem)) return false
      set(golem, at)
      return true
    },
    async scheduleAll(requests) {
      for (const { golem, at } of requests) if (!due.has(golem)) set(golem, at)
    },
    cancel: async (golem) => due.delete(golem),
    async idle(golems) {
      const dueGolems = golems.filter((golem) => due.has(golem))
      return new Map(
        dueGolems.map((golem) => [
          golem,
          running.has(golem) ? 0 : clock.now() - (heldAt.get(golem) ?? clock.now()),
        ]),
      )
    },
    work: (begun) => {
      work = begun
      return new Promise((resolve) => {
        begun.signal.addEventListener('abort', () => resolve(), { once: true })
      })
    },
    async tick(golem) {
      if (!work || running.has(golem)) return false
      const { tick, signal, onError } = work
      running.add(golem)
      heldAt.set(golem, clock.now())
      try {
        const next = await tick({ golem, runs: 0, signal, isMine: async () => true })
        if (next === undefined) due.delete(golem)
        else due.set(golem, next)
      } catch (error) {
        onError(error, golem)
      } finally {
        running.delete(golem)
        heldAt.set(golem, clock.now())
      }
      return true
    },
  }
}
