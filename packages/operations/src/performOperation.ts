import { BardoError } from '@bardo/core'
import { bytesToHex } from 'viem'
import { type OperationKind, operations } from './operations.ts'
import { OutdatedOperation } from './owner/OutdatedOperation.ts'
import type { OperationContext, OperationSigner } from './owner/ownerOperation.ts'
import type { FinishedOperation } from './prepareOperation.ts'

/** The number of attempts if another process changes the Golem at the same time. */
const mostAttempts = 5

/**
 * Runs an operation at once, with a signer that has the owner's key. If another process changes the Golem meanwhile, it
 * starts over with what the store has now.
 *
 * @example
 * const { result } = await performOperation(context, signer, 'deposit', { amount: '100', token: 'USDC' })
 */
export async function performOperation(
  given: OperationContext,
  signer: OperationSigner,
  kind: OperationKind,
  input: unknown,
): Promise<FinishedOperation> {
  const context = { ...given, hasKey: true }
  for (let turn = 1; ; turn += 1) {
    try {
      const fields = await operations[kind].resolve(context, input)
      const operation = bytesToHex(crypto.getRandomValues(new Uint8Array(16)))
      const result = await operations[kind].run({ ...context, operation }, signer, fields)
      return { type: 'done', operation, kind, result }
    } catch (error) {
      if (!isRace(error) || turn >= mostAttempts) throw error
    }
  }
}

function isRace(error: unknown): boolean {
  return (
    error instanceof OutdatedOperation || (error instanceof BardoError && error.code === 'STORE_UNAVAILABLE')
  )
}
