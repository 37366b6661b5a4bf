import { callTool, getStatus } from '@bardo/tools'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { isoTime, waitingFor } from '../waitingFor.ts'
import { golemField } from './fields.ts'

/** The state of a Golem. */
export const status = defineTask({
  input: z.strictObject({ golem: golemField.optional() }),
  async run(context, { golem: named }) {
    const { id, nextTick } = await findGolem(context, named)
    const [seen, waits] = await Promise.all([
      callTool(context.toolsFor(id), getStatus, { golem: id }),
      waitingFor(context, await context.open(id), context.clock.now()),
    ])
    const { endsAt, beganAt } = seen
    return {
      ...seen,
      /** What it waits for before it acts again. */
      waits,
      /** Milliseconds since 1970, unlike `endsAt` and `beganAt`, which are Unix seconds; `times` has all of them in one form. */
      nextTick: nextTick ?? null,
      /** ISO times. */
      times: {
        nextTick: nextTick === undefined ? null : isoTime(nextTick),
        began: isoTime(beganAt * 1_000),
        ends: isoTime(endsAt * 1_000),
      },
    }
  },
})
