import { BardoError, formatLongDuration, formatMinute, ownerCall } from '@bardo/core'
import { isAddressEqual } from 'viem'
import { z } from 'zod'
import { lineageFields, requireSameRoots, resolveLineage } from '../lineage/lineageFields.ts'
import { defineOperation } from '../owner/ownerOperation.ts'
import {
  addressField,
  agentIdField,
  findIdentity,
  findOwnIdentity,
  golemField,
  hashField,
  recordIdentityEvent,
  requireAgent,
  requireGuarded,
  requireLanded,
} from './golemIdentity.ts'

const fieldsSchema = lineageFields.extend({
  agentId: agentIdField,
  to: addressField,
  delaySeconds: z.int().positive(),
})

type Fields = z.output<typeof fieldsSchema>

/** Announces a transfer of a deposited identity. It can be cancelled until it is completed. */
export const identityTransfer = defineOperation({
  input: z.strictObject({
    golem: golemField,
    /** Default: the owner's account, which is a withdrawal. */
    to: addressField.optional(),
  }),
  fields: fieldsSchema,
  result: z.strictObject({
    agentId: agentIdField,
    to: addressField,
    /** Unix seconds. */
    readyAt: z.string(),
    transaction: hashField,
  }),
  async resolve(context, { golem: id, to: given }): Promise<Fields> {
    const found = await findOwnIdentity(context, id)
    const { agentId, guarded } = requireGuarded(found)
    requireAgent(found)
    const { pending } = guarded
    if (pending)
      throw new BardoError('Another transfer is announced already.', {
        code: 'STEP_OUT_OF_ORDER',
        outcome: 'not-sent',
        details: [`to ${pending.to}`, `possible from ${formatMinute(Number(pending.readyAt))} UTC`],
        remedy: 'If it is not yours, cancel it at once: bardo identity cancel GOLEM',
        docsPath: 'identity.md#the-guardian-contract',
      })
    const to = given ?? found.account
    await found.identity.requireReceiver(agentId, to)
    const lineage = await resolveLineage(context, found.golem.id)
    const delaySeconds = await found.identity.transferDelay()
    return { ...lineage, agentId: `${agentId}`, to, delaySeconds }
  },
  describe: (_, { name, agentId, to, delaySeconds }) => [
    `Announce that the identity of ${name}, agent ${agentId}, goes to ${to}.`,
    `After ${formatLongDuration(delaySeconds)} anyone can complete it. Until then you or the guardian can cancel it.`,
  ],
  async run(context, signer, fields: Fields) {
    const { golem, to } = fields
    const agentId = BigInt(fields.agentId)
    const { identity } = await findIdentity(context, golem)
    const call = await ownerCall(signer, identity.announceCall(agentId, to))
    const id = `identity-transfer-${context.operation}`
    const check = () => requireSameRoots(context, fields)
    const landed = requireLanded(await signer.submitter.submit({ id, ...call, check }))
    const pending = (await identity.read(agentId)).guarded?.pending
    if (!pending || !isAddressEqual(pending.to, to))
      throw new BardoError('The transfer was announced, but it was cancelled since.', {
        code: 'STEP_OUT_OF_ORDER',
        outcome: 'landed',
        details: [`transaction ${landed.hash}`],
        remedy: 'See the current state: bardo identity show GOLEM',
      })
    const { readyAt } = pending
    await recordIdentityEvent(context, golem, { name: 'identity.transferAnnounced', agentId, to, readyAt })
    return { agentId: fields.agentId, to, readyAt: `${readyAt}`, transaction: landed.hash }
  },
})
