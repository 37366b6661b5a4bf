import { BardoError, phases } from '@bardo/core'
import { ownRow, phaseToRestore, requireLiving, restorePhase } from '@bardo/golem/requests'
import { z } from 'zod'
import { lineageFields, requireSameRoots, resolveLineage } from '../lineage/lineageFields.ts'
import { scheduleTickNow } from '../lineage/scheduleTickNow.ts'
import { defineOperation } from '../owner/ownerOperation.ts'
import { hashSchema } from '../owner/schemas.ts'

/** How long the owner's signature is valid: as long as the prepared operation. */
const validitySeconds = 86_400

const resetPhaseInput = z.strictObject({ golem: hashSchema })

const resetPhaseFields = lineageFields.extend({
  from: z.enum(phases),
  /** Unix seconds, after which GolemVitals refuses the signature. */
  deadline: z.int().positive(),
})

/** The result of a phase reset. */
export const resetPhaseResult = z.strictObject({
  golem: hashSchema,
  name: z.string(),
  from: z.enum(phases),
  /** Null if another transaction had moved the phase before. */
  transaction: hashSchema.nullable(),
})

/** Moves a Golem back to Thriving, with one signature and one transaction of the owner. */
export const resetPhase = defineOperation({
  input: resetPhaseInput,
  fields: resetPhaseFields,
  result: resetPhaseResult,
  async resolve(context, { golem }) {
    const { store, client, deployment, owner } = context
    const lineage = await resolveLineage(context, golem)
    await requireLiving(store, golem)
    const [{ phase }, { timestamp }] = await Promise.all([
      ownRow({ client, deployment, key: owner }, store, golem),
      client.getBlock(),
    ])
    if (phase === 0)
      throw new BardoError(`${lineage.name} is Thriving: there is no earlier phase.`, {
        code: 'STEP_OUT_OF_ORDER',
        outcome: 'not-sent',
        docsPath: 'golem.md#feeding-and-adjusting',
      })
    return { ...lineage, from: phases[phase] ?? 'terminal', deadline: Number(timestamp) + validitySeconds }
  },
  describe: (_, { name, from }) => [
    `Move ${name} back from ${from} to thriving. It may do again what the later phase refused, within the limits that you signed.`,
    'Its next tick moves the phase forward again if its funds do not last.',
  ],
  async run(context, signer, fields) {
    const { store } = context
    const { golem, name, from, deadline } = fields
    // A transaction that the owner has sent is recorded, whatever changed since.
    if (await phaseToRestore(signer, golem)) await requireSameRoots(context, fields)
    const { transaction } = await restorePhase(signer, store, { golem, deadline: BigInt(deadline) })
    await scheduleTickNow(store, golem)
    return { golem, name, from, transaction: transaction ?? null }
  },
})
