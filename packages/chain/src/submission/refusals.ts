import { BardoError, type Intent, type JournalRecord } from '@bardo/core'
import { BaseError, ExecutionRevertedError, type Hash, InsufficientFundsError } from 'viem'

/** The id was used for another transaction before. */
export function differentIntent(id: string): BardoError {
  return new BardoError('This intent id stands for another transaction.', {
    code: 'INVALID_INPUT',
    details: [id],
    remedy: 'Give every transaction an id of its own.',
  })
}

/** No transaction can be made of it. */
export function malformed(id: string): BardoError {
  return new BardoError('The intent is no transaction.', {
    code: 'INVALID_INPUT',
    details: [`intent ${id}`],
    remedy: 'Check its address (with its checksum), its data, its value and its gas.',
  })
}

/** The chain would refuse it, or did not answer; nothing was written down. */
export function unestimated(cause: unknown): BardoError {
  const isOf = (type: typeof ExecutionRevertedError | typeof InsufficientFundsError) =>
    cause instanceof BaseError && cause.walk((error) => error instanceof type) !== null
  if (isOf(InsufficientFundsError))
    return new BardoError('The key cannot pay for the transaction.', { code: 'INSUFFICIENT_FUNDS', cause })
  if (isOf(ExecutionRevertedError))
    return new BardoError('The transaction would revert. It was not sent.', {
      code: 'TRANSACTION_REVERTED',
      cause,
    })
  return new BardoError('The node could not estimate the transaction.', { code: 'RPC_UNAVAILABLE', cause })
}

/** Patience ran out. */
export function stillOpen({ intent, attempts, nonce }: JournalRecord, cause: unknown): BardoError {
  return new BardoError('The transaction was not seen to land yet.', {
    code: 'OUTCOME_UNKNOWN',
    outcome: 'unknown',
    details: [
      `intent ${intent.id}`,
      nonce === undefined ? 'no nonce yet' : `nonce ${nonce} of ${intent.from}`,
      ...attempts.map(({ hash }) => `transaction ${hash}`),
    ],
    remedy: 'Submit the same intent again to go on waiting, or cancel it. It lands at most once.',
    cause,
  })
}

/** It was called off, and its nonce is used up. */
export function closed({ id }: Intent): BardoError {
  return new BardoError('The intent was closed before it landed.', {
    code: 'INTENT_CLOSED',
    details: [`intent ${id}`],
    remedy: 'Submit it under a new id if it is still wanted.',
  })
}

/** Somebody else signs with this key. */
export function displaced({ id, from }: Intent, nonce: number, by: Hash | undefined): BardoError {
  return new BardoError('Something that is not in the journal used the nonce.', {
    code: 'NONCE_TAKEN',
    details: [`intent ${id}`, `nonce ${nonce} of ${from}`, by ? `transaction ${by}` : 'an authorization'],
    remedy: 'Treat the key as suspect if nobody of yours sent it; else submit under a new id.',
  })
}

/** The error, with an outcome that is true: what was signed may land although this process gave up. */
export function withOutcome(error: BardoError, { attempts }: JournalRecord): BardoError {
  if (attempts.length === 0 || error.outcome !== 'not-sent') return error
  const { code, details, remedy, docsPath, retryable } = error
  return new BardoError(error.shortMessage, {
    code,
    details,
    retryable,
    outcome: 'unknown',
    cause: error,
    ...(remedy === undefined ? {} : { remedy }),
    ...(docsPath === undefined ? {} : { docsPath }),
  })
}

/** A bundler would not take it; nothing was written down. */
export function bundlerRefused(cause: unknown): BardoError {
  return new BardoError('The bundler does not take the operation.', {
    code: 'USER_OPERATION_REFUSED',
    details: cause instanceof BaseError ? [cause.details || cause.shortMessage] : [],
    remedy: 'AA2x is the account’s side (funds, signature, nonce), AA3x the paymaster’s.',
    docsPath: 'redeeming.md#as-a-useroperation',
    cause,
  })
}
