import { livingChildren, readShared } from '@bardo/golem'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** The living children of a Golem, and the Golems that it delegated to: both end when the owner signs a new root or replaces a suspected key. */
export const children = defineTask({
  input: z.strictObject({ golem: golemField.optional() }),
  async run(context, { golem: named }) {
    const { id, name } = await findGolem(context, named)
    const [children, given] = await Promise.all([
      livingChildren(context.store, id),
      readShared(context.store, id, 'given'),
    ])
    const now = context.clock.now() / 1_000
    const receivers = given.flatMap(({ isEnded, endsAt, peer }) => (isEnded || endsAt < now ? [] : [peer]))
    return {
      golem: id,
      name,
      children: children.map((child) => child.name),
      receivers: [...new Set(receivers)],
    }
  },
})
