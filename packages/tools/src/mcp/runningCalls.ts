/** The calls that are in progress. */
export type RunningCalls = {
  follow<Result>(call: Promise<Result>): Promise<Result>
  /** Resolves when no call is in progress. */
  idle(): Promise<void>
}

/** Tracks calls, so that the store is not closed while a call has signed something. */
export function createRunningCalls(): RunningCalls {
  const running = new Set<Promise<unknown>>()
  return {
    follow(call) {
      running.add(call)
      const forget = () => void running.delete(call)
      call.then(forget, forget)
      return call
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
