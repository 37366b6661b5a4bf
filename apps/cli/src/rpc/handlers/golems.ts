import type { Hash } from 'viem'
import { z } from 'zod'
import { printable } from '../../terminal/printable.ts'
import { everyGolem } from '../everyGolem.ts'
import { defineTask } from '../task.ts'
import { isoTime } from '../waitingFor.ts'

/** The most requests that are counted. */
const mostRequests = 10_000

/** A short list of all Golems. */
export const golems = defineTask({
  input: z.strictObject({}),
  async run({ store }) {
    const requestCounts = new Map<Hash, number>()
    for (const { golem } of await store.ownerRequests.allPending(mostRequests))
      requestCounts.set(golem, (requestCounts.get(golem) ?? 0) + 1)
    const rows = await everyGolem(store)
    return rows.map(({ id, name, owner, custody, status, phase, nextTick, pausedAt, createdAt }) => ({
      id,
      name: printable(name),
      owner,
      custody: custody ?? null,
      status,
      /** By its owner: it ticks and begins no action. */
      paused: pausedAt !== undefined && (status === 'alive' || status === 'observing'),
      phase,
      /** Milliseconds since 1970. */
      nextTick: status === 'dead' ? null : (nextTick ?? null),
      createdAt,
      /** ISO times. */
      times: {
        nextTick: status === 'dead' || nextTick === undefined ? null : isoTime(nextTick),
        created: isoTime(createdAt),
      },
      requests: requestCounts.get(id) ?? 0,
    }))
  },
})
