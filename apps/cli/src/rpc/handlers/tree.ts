import { callTool, getDelegationTree } from '@bardo/tools'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** What the owner signed, and how much of each limit is used. */
export const tree = defineTask({
  input: z.strictObject({ golem: golemField.optional() }),
  async run(context, { golem: named }) {
    const { id, name } = await findGolem(context, named)
    return { golem: id, name, ...(await callTool(context.toolsFor(id), getDelegationTree, { golem: id })) }
  },
})
