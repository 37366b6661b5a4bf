import { livingChildren } from '@bardo/golem'
import { pauseGolem } from '@bardo/operations'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { isoTime } from '../waitingFor.ts'
import { golemField } from './fields.ts'

/** Pauses a Golem, or resumes it. */
export const pause = defineTask({
  input: z.strictObject({ golem: golemField.optional(), paused: z.boolean() }),
  async run(context, { golem: named, paused }) {
    const { store, clock } = context
    const { id, name } = await findGolem(context, named)
    const { isChanged, since } = await pauseGolem(store, id, paused, clock.now())
    const { state } = await (await context.open(id)).status()
    const children = await livingChildren(store, id)
    return {
      golem: id,
      name,
      paused,
      isChanged,
      since: since === undefined ? null : isoTime(since),
      /** An action that was begun before. It is finished if it is in the journal, and dropped if not. */
      begun: state.pending?.intentId ?? null,
      /** Living children. A pause of their parent does not pause them. */
      children: children.flatMap((child) => (child.pausedAt === undefined ? [child.name] : [])),
    }
  },
})
