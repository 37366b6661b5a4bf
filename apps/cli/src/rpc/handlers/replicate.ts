import { methodNames } from '@bardo/core'
import { scheduleTickNow } from '@bardo/operations'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField, nameField } from './fields.ts'

const cents = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform((text) => BigInt(text))

/** Creates a child Golem from a part of its parent's limits. */
export const replicate = defineTask({
  input: z.strictObject({
    golem: golemField,
    name: nameField,
    dailyCents: cents,
    budgetCents: cents,
    runwayCents: cents.optional(),
    runwayDailyCents: cents.optional(),
    lifespanSeconds: z.int().positive(),
    calls: z.int().positive(),
    methods: z.array(z.enum(methodNames)).min(1).optional(),
    targets: z.array(z.string().max(64)).min(1).optional(),
  }),
  async run(context, { golem: named, runwayDailyCents, ...child }, { note }) {
    const parent = await findGolem(context, named)
    note('Creating a key, delegating, registering')
    const golem = await context.open(parent.id)
    const id = await golem.replicate({
      ...child,
      // USDC has six decimals.
      ...(runwayDailyCents !== undefined && { runwayDaily: runwayDailyCents * 10_000n }),
    })
    await scheduleTickNow(context.store, id)
    return { golem: id, name: child.name, parent: parent.id, parentName: parent.name }
  },
})
