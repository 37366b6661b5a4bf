import { parseEther } from 'viem'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { scheduleTickNow } from '../scheduleTickNow.ts'
import { defineTask } from '../task.ts'
import { golemField, nameField } from './fields.ts'

const cents = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform((text) => BigInt(text))
/** Enough for several hundred transactions of a child. */
const gas = parseEther('0.01')

/** Creates a child Golem from a part of its parent's limits. */
export const replicate = defineTask({
  input: z.strictObject({
    golem: golemField,
    name: nameField,
    dailyCents: cents,
    budgetCents: cents,
    runwayCents: cents,
    lifespanSeconds: z.int().positive(),
    calls: z.int().positive(),
  }),
  async run(context, { golem: named, ...child }, { note }) {
    const parent = await findGolem(context, named)
    note('Creating a key, delegating, registering')
    const golem = await context.open(parent.id)
    const id = await golem.replicate({ ...child, gas, secret: context.secret })
    await scheduleTickNow(context, id)
    return { golem: id, name: child.name, parent: parent.id, parentName: parent.name }
  },
})
