/** Wakes whoever waits. It counts how often it was rung, so that a ring between a look and a wait is not missed. */
export type Bell = {
  readonly rings: number
  ring(): void
  /** Waits until it was rung more often than `seen`, or `signal` is aborted. */
  wait(seen: number, signal: AbortSignal): Promise<void>
}

/** A bell that was never rung. */
export function createBell(): Bell {
  let rings = 0
  let waiting = new Set<() => void>()
  return {
    get rings() {
      return rings
    },
    ring() {
      rings += 1
      const woken = waiting
      waiting = new Set()
      for (const wake of woken) wake()
    },
    wait(seen, signal) {
      if (rings > seen || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = () => {
          signal.removeEventListener('abort', wake)
          waiting.delete(wake)
          resolve()
        }
        waiting.add(wake)
        signal.addEventListener('abort', wake, { once: true })
      })
    },
  }
}
