import type { Hash } from 'viem'
import { z } from 'zod'
import { printable } from '../../shell/printable.ts'
import { everyGolem } from '../everyGolem.ts'
import { defineTask } from '../task.ts'

/** More requests than this are not counted. Origin: ours. */
const mostRequests = 10_000

/** All Golems of the folder, in short. */
export const golems = defineTask({
  input: z.strictObject({}),
  async run({ store }) {
    const asked = new Map<Hash, number>()
    for (const { golem } of await store.ownerRequests.allPending(mostRequests))
      asked.set(golem, (asked.get(golem) ?? 0) + 1)
    const rows = await everyGolem(store)
    return rows.map(({ id, name, owner, custody, status, phase, nextTick, createdAt }) => ({
      id,
      name: printable(name),
      owner,
      custody: custody ?? null,
      status,
      phase,
      /** Milliseconds since 1970. */
      nextTick: status === 'dead' ? null : (nextTick ?? null),
      createdAt,
      requests: asked.get(id) ?? 0,
    }))
  },
})
