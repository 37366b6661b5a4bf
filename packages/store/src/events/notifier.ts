/** Wakes waiting readers. It counts notifications, so that one between a read and a wait is not missed. */
export type Notifier = {
  readonly notifications: number
  notify(): void
  /** Waits until there are more notifications than `seen`, or `signal` aborts. */
  wait(seen: number, signal: AbortSignal): Promise<void>
}

/** A new notifier. */
export function createNotifier(): Notifier {
  let notifications = 0
  let waiting = new Set<() => void>()
  return {
    get notifications() {
      return notifications
    },
    notify() {
      notifications += 1
      const woken = waiting
      waiting = new Set()
      for (const wake of woken) wake()
    },
    wait(seen, signal) {
      if (notifications > seen || signal.aborted) return Promise.resolve()
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
