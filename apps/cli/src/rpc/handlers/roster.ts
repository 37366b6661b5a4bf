import { isHash } from 'viem'
import { z } from 'zod'
import { defineTask } from '../task.ts'

/** The stored fields that a list shows. */
const lifeSchema = z.object({
  survivalScore: z.number(),
  health: z.string().exactOptional(),
})
const idField = z.string().refine((text) => isHash(text), 'is not an id')

/**
 * One row per Golem, from the store: by ids, or a page after a cursor. `head` is the last event that the rows include.
 */
export const roster = defineTask({
  input: z.union([
    z.strictObject({ ids: z.array(idField).max(200) }),
    z.strictObject({ after: idField.optional(), limit: z.int().min(1).max(1_000) }),
  ]),
  async run({ store }, question) {
    const { sequence: head } = await store.audit.head()
    const rows =
      'ids' in question
        ? (await Promise.all(question.ids.map((id) => store.golems.find(id)))).flatMap((row) => row ?? [])
        : await store.golems.list({
            limit: question.limit,
            ...(question.after !== undefined && { after: question.after }),
          })
    const golems = await Promise.all(
      rows.map(async ({ id, name, status, phase, nextTick, pausedAt }) => {
        const { data: life } = lifeSchema.safeParse((await store.golemStates.find(id))?.state)
        return {
          id,
          name,
          status,
          paused: pausedAt !== undefined && (status === 'alive' || status === 'observing'),
          phase,
          /** Milliseconds since 1970. */
          nextTick: status === 'dead' ? null : (nextTick ?? null),
          survivalScore: status === 'dead' ? null : (life?.survivalScore ?? null),
          health: status === 'dead' ? null : (life?.health ?? null),
        }
      }),
    )
    return { head, golems }
  },
})
