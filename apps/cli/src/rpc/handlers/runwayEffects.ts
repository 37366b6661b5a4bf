import { readOwnerAsk, runwayEffect } from '@bardo/golem'
import { z } from 'zod'
import { printable } from '../../terminal/printable.ts'
import { defineTask } from '../task.ts'
import { lessField } from './fields.ts'

/** What approving a runway, in full or in part, changes for each of its Golems. Empty for every other request. */
export const runwayEffects = defineTask({
  input: z.strictObject({ request: z.string().min(1).max(500), less: lessField }),
  async run(context, { request: id, less }) {
    const { store } = context
    const request = await store.ownerRequests.find(id)
    if (request?.kind !== 'runway' || request.state !== 'pending') return []
    const ask = readOwnerAsk(request)
    const asked = ask.type === 'runway' ? ask.golems : []
    const effects = await Promise.all(
      asked.map(async ({ golem }) => {
        const row = await store.golems.find(golem)
        if (!row || row.status === 'dead') return []
        const effect = await runwayEffect(await context.partsOf(golem), request, less)
        if (!effect) return []
        const { lengthensLife, sentence } = effect
        return [{ golem, name: printable(row.name), lengthensLife, sentence }]
      }),
    )
    return effects.flat()
  },
})
