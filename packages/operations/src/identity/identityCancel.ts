import { BardoError, ownerCall } from '@bardo/core'
import { isAddressEqual } from 'viem'
import { z } from 'zod'
import { accountOf } from '../owner/accountOf.ts'
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
  /** Who calls: the account of the key, or the key itself as the guardian. */
  by: z.enum(['account', 'key']),
})

type Fields = z.output<typeof fieldsSchema>

/** Cancels an announced transfer, as the depositor or as the guardian. */
export const identityCancel = defineOperation({
  input: z.strictObject({ golem: golemField }),
  fields: fieldsSchema,
  result: z.strictObject({ agentId: agentIdField, by: addressField, transaction: hashField }),
  async resolve(context, { golem: id }): Promise<Fields> {
    const found = await findIdentity(context, id)
    const agent = requireGuarded(found)
    const { to } = requirePending(agent)
    const { guardian } = agent.guarded
    const account = accountOf(context)
    const { id: golem, name } = found.golem
    const fields = { golem, name, agentId: `${agent.agentId}`, to }
    if (guardian && isAddressEqual(guardian, context.owner)) return { ...fields, by: 'key' }
    const canAccount = [agent.owner, ...(guardian ? [guardian] : [])].some((one) =>
      isAddressEqual(one, account),
    )
    if (canAccount) return { ...fields, by: 'account' }
    throw new BardoError('Only the depositor or the guardian can cancel a transfer.', {
      code: 'ACTION_NOT_ALLOWED',
      outcome: 'not-sent',
      details: [`depositor ${agent.owner}`, `guardian ${guardian ?? 'none'}`, `your key ${context.owner}`],
      remedy: 'Give the key of one of them with --owner-key FILE.',
      docsPath: 'identity.md#the-guardian-contract',
    })
  },
  describe: (_, { name, agentId, to }) => [
    `Cancel the transfer of the identity of ${name}, agent ${agentId}, to ${to}. It stays with the guardian contract.`,
  ],
  async run(context, signer, { golem, by, ...fields }: Fields) {
    const agentId = BigInt(fields.agentId)
    const { identity } = await findIdentity(context, golem)
    const plain = identity.cancelCall(agentId)
    const call = by === 'key' ? plain : await ownerCall(signer, plain)
    const id = `identity-cancel-${context.operation}`
    const landed = requireLanded(await signer.submitter.submit({ id, ...call }))
    const caller = by === 'key' ? context.owner : signer.account.address
    await recordIdentityEvent(context, golem, { name: 'identity.transferCancelled', agentId, by: caller })
    return { agentId: fields.agentId, by: caller, transaction: landed.hash }
  },
})
