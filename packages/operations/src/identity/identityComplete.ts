import { BardoError, formatMinute } from '@bardo/core'
import { z } from 'zod'
import { defineOperation } from '../owner/ownerOperation.ts'
import {
  addressField,
  agentIdField,
  findIdentity,
  golemField,
  hashField,
  recordIdentityEvent,
  requireGuarded,
  requireLanded,
} from './golemIdentity.ts'
import { requirePending } from './requirePending.ts'

const fieldsSchema = z.strictObject({
  golem: golemField,
  name: z.string(),
  agentId: agentIdField,
  to: addressField,
})

type Fields = z.output<typeof fieldsSchema>

/** Completes an announced transfer after its delay. Any key can do it: the recipient was announced. */
export const identityComplete = defineOperation({
  input: z.strictObject({ golem: golemField }),
  fields: fieldsSchema,
  result: z.strictObject({ agentId: agentIdField, to: addressField, transaction: hashField }),
  async resolve(context, { golem: id }): Promise<Fields> {
    const found = await findIdentity(context, id)
    const agent = requireGuarded(found)
    const { to, readyAt } = requirePending(agent)
    const { timestamp } = await context.client.getBlock()
    if (timestamp < readyAt)
      throw new BardoError('The delay of this transfer is not over.', {
        code: 'STEP_OUT_OF_ORDER',
        outcome: 'not-sent',
        details: [
          `possible from ${formatMinute(Number(readyAt))} UTC`,
          `block time ${formatMinute(Number(timestamp))} UTC`,
        ],
        remedy: 'Complete it then, or cancel it: bardo identity cancel GOLEM',
        docsPath: 'identity.md#the-guardian-contract',
      })
    await found.identity.requireReceiver(agent.agentId, to)
    return { golem: found.golem.id, name: found.golem.name, agentId: `${agent.agentId}`, to }
  },
  describe: (_, { name, agentId, to }) => [
    `Complete the transfer of the identity of ${name}, agent ${agentId}, to ${to}. This cannot be undone.`,
  ],
  async run(context, signer, { golem, to, ...fields }: Fields) {
    const agentId = BigInt(fields.agentId)
    const { identity } = await findIdentity(context, golem)
    const id = `identity-complete-${context.operation}`
    const call = identity.executeCall(agentId)
    const landed = requireLanded(await signer.submitter.submit({ id, ...call }))
    await recordIdentityEvent(context, golem, { name: 'identity.transferCompleted', agentId, to })
    return { agentId: fields.agentId, to, transaction: landed.hash }
  },
})
