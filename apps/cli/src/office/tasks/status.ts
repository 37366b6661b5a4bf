import { callTool, getStatus } from '@bardo/golem'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** How a Golem stands. */
export const status = defineTask({
  input: z.strictObject({ golem: golemField.optional() }),
  async run(place, { golem: named }) {
    const { id, nextTick } = await findGolem(place, named)
    const [{ charter }, seen] = await Promise.all([
      place.open(id).then((golem) => golem.status()),
      callTool(place.toolsFor(id), getStatus, { golem: id }),
    ])
    const { window } = charter.plan
    return { ...seen, nextTick: nextTick ?? null, endsAt: Number(window.end), beganAt: Number(window.start) }
  },
})
