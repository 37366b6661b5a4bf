import type { OwnerSigner } from '@bardo/chain'
import { bytesToHex } from 'viem'
import { type OperationKind, operations } from './operations.ts'
import type { OperationContext } from './owner/ownerOperation.ts'
import type { FinishedOperation } from './prepareOperation.ts'

/**
 * Runs an operation at once, with a signer that has the owner's key.
 *
 * @example
 * const { result } = await performOperation(context, signer, 'deposit', { amount: '100', token: 'USDC' })
 */
export async function performOperation(
  context: OperationContext,
  signer: OwnerSigner,
  kind: OperationKind,
  input: unknown,
): Promise<FinishedOperation> {
  const fields = await operations[kind].resolve(context, input)
  const operation = bytesToHex(crypto.getRandomValues(new Uint8Array(16)))
  const result = await operations[kind].run({ ...context, operation }, signer, fields)
  return { type: 'done', operation, kind, result }
}
