import { setTimeout } from 'node:timers/promises'
import type { Clock } from '@bardo/core'

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (milliseconds) => {
    await setTimeout(milliseconds)
  },
}
