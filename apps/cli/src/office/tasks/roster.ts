import { isHash } from 'viem'
import { z } from 'zod'
import { defineTask } from '../task.ts'

/** What of a stored life is shown in a list. */
const lifeSchema = z.object({
  survivalScore: z.number(),
  health: z.string().exactOptional(),
})
const idField = z.string().refine((text) => isHash(text), 'is no id')

/**
 * Golems in a line each, as the store knows them: some by their ids, or the next ones from a cursor on. `head` is the last
 * event that is in what is shown.
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
      rows.map(async ({ id, name, status, phase, nextTick }) => {
        const { data: life } = lifeSchema.safeParse((await store.lives.find(id))?.state)
        return {
          id,
          name,
          status,
          phase,
          /** Milliseconds since 1970. */
          nextTick: status === 'dead' ? null : (nextTick ?? null),
          survivalScore: life?.survivalScore ?? null,
          health: life?.health ?? null,
        }
      }),
    )
    return { head, golems }
  },
})
