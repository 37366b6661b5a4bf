/** Calls that have begun and are not over. */
export type RunningCalls = {
  follow<Result>(call: Promise<Result>): Promise<Result>
  /** Fulfilled once none is left. */
  idle(): Promise<void>
}

/** Keeps count of calls, so that nobody closes the store under one that has signed something. */
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
