import { callTool, getDelegationTree } from '@bardo/tools'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { ownerExposure } from '../ownerExposure.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** What the owner signed, and how much of each limit is used. */
export const tree = defineTask({
  input: z.strictObject({ golem: golemField.optional() }),
  async run(context, { golem: named }) {
    const { id, name, owner } = await findGolem(context, named)
    const shown = await callTool(context.toolsFor(id), getDelegationTree, { golem: id })
    /** All Golems of the same owner, and what can leave under everything that is signed for them. */
    const family = await ownerExposure(context, owner)
    return { golem: id, name, ...shown, family }
  },
})
