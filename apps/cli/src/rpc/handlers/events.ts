import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** Streams every event after a cursor, including future ones, until the client disconnects. */
export const events = defineTask({
  input: z.strictObject({ after: z.int().min(0), golem: golemField.optional() }),
  async run(context, { after, golem: named }, { tell, signal }) {
    const { store } = context
    const golem = named === undefined ? undefined : (await findGolem(context, named)).id
    for await (const { sequence, golem: whose, name, at, body } of store.events.subscribe({
      after,
      signal,
      ...(golem && { golem }),
    }))
      tell({ sequence, golem: whose, name, at, body })
    return {}
  },
})
