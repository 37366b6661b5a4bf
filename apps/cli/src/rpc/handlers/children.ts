import { livingChildren } from '@bardo/golem'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** The living children of a Golem: they end when the owner signs a new root or replaces a suspected key. */
export const children = defineTask({
  input: z.strictObject({ golem: golemField.optional() }),
  async run(context, { golem: named }) {
    const { id, name } = await findGolem(context, named)
    return { golem: id, name, children: (await livingChildren(context.store, id)).map((child) => child.name) }
  },
})
