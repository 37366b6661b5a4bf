import { readConstitutionUse } from '@bardo/golem/action'
import { constitutionText } from '@bardo/tools'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** The constitution that a Golem is signed for, and what is used of it. */
export const constitution = defineTask({
  input: z.strictObject({ golem: golemField.optional() }),
  async run(context, { golem: named }) {
    const { id, name } = await findGolem(context, named)
    const { permission } = await (await context.open(id)).status()
    const use = (await readConstitutionUse(context.chain, permission)) ?? null
    return { golem: id, name, constitution: use, text: constitutionText(use).join('\n') }
  },
})
