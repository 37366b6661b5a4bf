import { z } from 'zod'
import { printable } from '../../shell/printable.ts'
import { defineTask } from '../task.ts'

/** All Golems of the folder, in short. */
export const golems = defineTask({
  input: z.strictObject({}),
  async run({ store }) {
    const rows = await store.golems.list({ limit: 1_000 })
    return Promise.all(
      rows.map(async ({ id, name, owner, custody, status, phase, nextTick, createdAt }) => ({
        id,
        name: printable(name),
        owner,
        custody: custody ?? null,
        status,
        phase,
        /** Milliseconds since 1970. */
        nextTick: status === 'dead' ? null : (nextTick ?? null),
        createdAt,
        requests: (await store.ownerRequests.pending(id)).length,
      })),
    )
  },
})
