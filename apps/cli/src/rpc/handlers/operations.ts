import { BardoError } from '@bardo/core'
import {
  completeOperation,
  type OperationKind,
  operationKinds,
  performOperation,
  prepareOperation,
  signedOperationSchema,
  withdrawalCalls,
} from '@bardo/operations'
import type { Address } from 'viem'
import { z } from 'zod'
import type { Context } from '../../context/openContext.ts'
import { ownerWallet } from '../../context/ownerWallet.ts'
import { findGolem } from '../findGolem.ts'
import { operationContext } from '../operationContext.ts'
import { defineTask } from '../task.ts'
import { addressField, golemField, ownerKeyField } from './fields.ts'

/** The operations on one Golem. */
const golemKinds: ReadonlySet<OperationKind> = new Set(['revoke', 'feed', 'adjust', 'resetPhase'])

const operationField = z.strictObject({
  kind: z.enum(operationKinds),
  input: z.record(z.string(), z.unknown()),
  ownerKey: ownerKeyField,
})

/** Prepares an owner's operation for a key that is elsewhere. */
export const prepare = defineTask({
  input: operationField.extend({
    /** The owner's address. Default: that of the owner's key. */
    owner: addressField.optional(),
  }),
  async run(context, { kind, input, owner: given, ownerKey }) {
    const owner = given ?? ownerAddress(context, ownerKey)
    const fields = await named(context, kind, input)
    // Without progress notes: nothing is signed or sent here.
    return prepareOperation({ ...operationContext(context), owner }, kind, fields)
  },
})

/** Completes a prepared operation with the owner's answers. */
export const complete = defineTask({
  input: signedOperationSchema,
  run: (context, signed, { note }) => completeOperation(operationContext(context, note), signed),
})

/** Runs an owner's operation at once, with the owner's key. */
export const perform = defineTask({
  input: operationField,
  async run(context, { kind, input, ownerKey }, { note }) {
    const { key, signer } = ownerWallet(context.chain, context.store, ownerKey)
    const fields = await named(context, kind, input)
    return performOperation({ ...operationContext(context, note), owner: key.address }, signer, kind, fields)
  },
})

/** Signs a withdrawal with the owner's key, and sends nothing: the owner keeps the transactions. */
export const presignWithdraw = defineTask({
  input: z.strictObject({ amount: z.string(), token: z.string(), ownerKey: ownerKeyField }),
  async run(context, { ownerKey, ...input }) {
    const { key, signer } = ownerWallet(context.chain, context.store, ownerKey)
    const calls = await withdrawalCalls({ ...operationContext(context), owner: key.address }, signer, input)
    return { owner: key.address, account: signer.account.address, calls }
  },
})

/** Golems are named by people, and by their ids in an operation. */
async function named(context: Context, kind: OperationKind, input: Readonly<Record<string, unknown>>) {
  if (!golemKinds.has(kind)) return input
  const golem = golemField.optional().parse(input['golem'])
  return { ...input, golem: (await findGolem(context, golem)).id }
}

/** The owner's address, by the owner's key. */
export function ownerAddress(context: Context, ownerKey: string | undefined): Address {
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
