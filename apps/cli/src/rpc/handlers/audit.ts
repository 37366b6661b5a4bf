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
    const { audit, ledger } = context.store
    const golem = named === undefined ? undefined : (await findGolem(context, named)).id
    const report = await audit.verify(golem ? { golem } : noted ? { anchor: noted } : {})
    if (report.type === 'broken') return report
    // The events name the hashes of the ledger's transactions.
    const books = await ledger.verify(golem)
    if (books.type === 'broken') return { ...books, type: 'ledgerBroken' as const }
    return { ...report, ledger: books.transactions }
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
