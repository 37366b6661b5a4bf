import { parseEther } from 'viem'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { tickNow } from '../tickNow.ts'
import { golemField, nameField } from './fields.ts'

const cents = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform((text) => BigInt(text))
/** Enough for some hundred transactions of a child. Origin: ours. */
const gas = parseEther('0.01')

/** Lets a Golem have a child, from its own share. */
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
  async run(place, { golem: named, ...wish }, { note }) {
    const parent = await findGolem(place, named)
    note('Making a key, delegating, registering')
    const golem = await place.open(parent.id)
    const child = await golem.replicate({ ...wish, gas, secret: place.secret })
    await tickNow(place, child)
    return { golem: child, name: wish.name, parent: parent.id, parentName: parent.name }
  },
})
