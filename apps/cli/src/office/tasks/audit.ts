import { isHash } from 'viem'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

const anchor = z.strictObject({
  sequence: z.int().min(0),
  hash: z.string().refine((text) => isHash(text), 'is no hash'),
})

/** Walks the record of all events. */
export const auditVerify = defineTask({
  input: z.strictObject({ golem: golemField.optional(), anchor: anchor.optional() }),
  async run(place, { golem: named, anchor: noted }) {
    const { audit } = place.store
    if (named !== undefined) return audit.verify({ golem: (await findGolem(place, named)).id })
    return audit.verify(noted ? { anchor: noted } : {})
  },
})

/** The record itself: each event is told as one line of JSON. */
export const auditExport = defineTask({
  input: z.strictObject({ golem: golemField.optional() }),
  async run(place, { golem: named }, { tell, signal }) {
    const golem = named === undefined ? undefined : (await findGolem(place, named)).id
    let events = 0
    for await (const line of place.store.audit.export(golem ? { golem } : {})) {
      if (signal.aborted) break
      tell(line)
      events += 1
    }
    return { events }
  },
})
