import { answeredResult, performOperation } from '@bardo/operations'
import { z } from 'zod'
import { ownerWallet } from '../../context/ownerWallet.ts'
import { operationContext } from '../operationContext.ts'
import { operationSigner } from '../operationSigner.ts'
import { defineTask } from '../task.ts'
import { lessField, ownerKeyField } from './fields.ts'

/** Answers a request as the owner. */
export const answer = defineTask({
  input: z.strictObject({
    request: z.string().min(1).max(500),
    says: z.enum(['yes', 'no']),
    less: lessField,
    override: z.boolean().optional(),
    ownerKey: ownerKeyField,
  }),
  async run(context, { request, says, less = {}, override = false, ownerKey }, { note }) {
    const owner = ownerWallet(context.chain, context.store, ownerKey)
    const operation = { ...operationContext(context, note), owner: owner.key.address }
    const input = { request, says, override, amount: less.amount ?? null, days: less.days ?? null }
    const signer = await operationSigner(context, owner)
    const { result } = await performOperation(operation, signer, 'answer', input)
    return answeredResult.parse(result)
  },
})
