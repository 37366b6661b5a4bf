import { BardoError } from '@bardo/core'
import {
  completeOperation,
  type OperationContext,
  operationKinds,
  performOperation,
  prepareOperation,
  signedOperationSchema,
} from '@bardo/operations'
import { type Address, getAddress, isAddress } from 'viem'
import { z } from 'zod'
import type { Context } from '../../context/openContext.ts'
import { ownerWallet } from '../../context/ownerWallet.ts'
import { defineTask } from '../task.ts'
import { ownerKeyField } from './fields.ts'

/** One person uses a data folder. */
const localUser = 'local'

const operationField = z.strictObject({
  kind: z.enum(operationKinds),
  input: z.record(z.string(), z.unknown()),
  ownerKey: ownerKeyField,
})

/** Prepares an owner's operation for a key that is elsewhere. */
export const prepare = defineTask({
  input: operationField.extend({
    /** The owner's address. Default: that of the owner's key. */
    owner: z
      .string()
      .refine((text) => isAddress(text), 'must be an address')
      .transform((text) => getAddress(text))
      .optional(),
  }),
  async run(context, { kind, input, owner: given, ownerKey }) {
    const owner = given ?? ownerAddress(context, ownerKey)
    return prepareOperation({ ...operationContext(context), owner }, kind, input)
  },
})

/** Completes a prepared operation with the owner's answers. */
export const complete = defineTask({
  input: signedOperationSchema,
  run: (context, signed) => completeOperation(operationContext(context), signed),
})

/** Runs an owner's operation at once, with the owner's key. */
export const perform = defineTask({
  input: operationField,
  async run(context, { kind, input, ownerKey }) {
    const { key, signer } = ownerWallet(context.chain, context.store, ownerKey)
    return performOperation({ ...operationContext(context), owner: key.address }, signer, kind, input)
  },
})

function operationContext({ chain, store, clock }: Context): Omit<OperationContext, 'owner'> {
  const { client, deployment, book, submitter } = chain
  const { finality } = submitter
  const confirmations = typeof finality === 'number' ? { confirmations: finality } : {}
  return { user: localUser, client, deployment, book, store, clock, ...confirmations }
}

function ownerAddress(context: Context, ownerKey: string | undefined): Address {
  try {
    return ownerWallet(context.chain, context.store, ownerKey).key.address
  } catch (cause) {
    if (ownerKey !== undefined) throw cause
    throw new BardoError('The owner’s address is missing.', {
      code: 'INVALID_INPUT',
      remedy: 'Give it with --owner ADDRESS.',
      cause,
    })
  }
}
