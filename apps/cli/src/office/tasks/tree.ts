import { callTool, getDelegationTree } from '@bardo/golem'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** What the owner signed, with what is used of it. */
export const tree = defineTask({
  input: z.strictObject({ golem: golemField.optional() }),
  async run(place, { golem: named }) {
    const { id, name } = await findGolem(place, named)
    return { golem: id, name, ...(await callTool(place.toolsFor(id), getDelegationTree, { golem: id })) }
  },
})
