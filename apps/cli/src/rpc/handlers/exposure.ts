import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { ownerExposure } from '../ownerExposure.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** What can leave under what is signed for a Golem now, and under everything that its owner signed. */
export const exposure = defineTask({
  input: z.strictObject({ golem: golemField }),
  async run(context, { golem: named }) {
    const { id, name, owner } = await findGolem(context, named)
    const all = await ownerExposure(context, owner)
    const own = all.golems.find(({ golem }) => golem === id)
    return { golem: id, name, own: own?.exposure ?? null, all: all.exposure }
  },
})
