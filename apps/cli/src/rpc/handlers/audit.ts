import { isHash } from 'viem'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

const anchor = z.strictObject({
  sequence: z.int().min(0),
  hash: z.string().refine((text) => isHash(text), 'is not a hash'),
})

/** Walks the record of all events. */
export const auditVerify = defineTask({
  input: z.strictObject({ golem: golemField.optional(), anchor: anchor.optional() }),
  async run(context, { golem: named, anchor: noted }) {
    const { audit } = context.store
    if (named !== undefined) return audit.verify({ golem: (await findGolem(context, named)).id })
    return audit.verify(noted ? { anchor: noted } : {})
  },
})

/** The record itself: each event is told as one line of JSON. */
export const auditExport = defineTask({
  input: z.strictObject({ golem: golemField.optional() }),
  async run(context, { golem: named }, { tell, signal }) {
    const golem = named === undefined ? undefined : (await findGolem(context, named)).id
    let events = 0
    for await (const line of context.store.audit.export(golem ? { golem } : {})) {
      if (signal.aborted) break
      tell(line)
      events += 1
    }
    return { events }
  },
})
