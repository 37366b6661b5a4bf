import { activeShared, livingChildren } from '@bardo/golem'
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
      activeShared({ store: context.store, ...context.chain }, id, 'given'),
    ])
    return {
      golem: id,
      name,
      children: children.map((child) => child.name),
      receivers: [...new Set(given.map(({ peer }) => peer))],
    }
  },
})
