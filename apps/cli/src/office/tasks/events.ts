import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** Every event after a cursor, those to come included, until nobody listens. Each is told as it comes. */
export const events = defineTask({
  input: z.strictObject({ after: z.int().min(0), golem: golemField.optional() }),
  async run(place, { after, golem: named }, { tell, signal }) {
    const { store } = place
    const golem = named === undefined ? undefined : (await findGolem(place, named)).id
    for await (const { sequence, golem: whose, name, at, body } of store.events.subscribe({
      after,
      signal,
      ...(golem && { golem }),
    }))
      tell({ sequence, golem: whose, name, at, body })
    return {}
  },
})
