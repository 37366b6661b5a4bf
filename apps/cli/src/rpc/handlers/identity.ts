import { identityJson, readIdentity } from '@bardo/golem/identity'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** The identity of a Golem, with the attestation that others can verify. */
export const identity = defineTask({
  input: z.strictObject({ golem: golemField.optional() }),
  async run(context, { golem: named }) {
    const { store, chain } = context
    const golem = await findGolem(context, named)
    const { permission } = await (await context.open(golem.id)).status()
    const card = await readIdentity({ store, ...chain }, golem, permission.terms.mandate.account)
    const { id, name, owner, status } = golem
    return {
      golem: id,
      name,
      owner,
      status,
      identity: identityJson(card),
      attestation: card.attestation ?? null,
    }
  },
})
