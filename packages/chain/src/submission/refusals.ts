import { BardoError, type Intent, type JournalRecord } from '@bardo/core'
import { type Address, BaseError, ExecutionRevertedError, type Hash, InsufficientFundsError } from 'viem'

/** The id is already used for another transaction. */
export function differentIntent(id: string): BardoError {
  return new BardoError('This intent id is already used for another transaction.', {
    code: 'INVALID_INPUT',
    details: [id],
    remedy: 'Use a separate id for every transaction.',
  })
}

/** The request is not a valid transaction. */
export function malformed(id: string): BardoError {
  return new BardoError('The intent is not a valid transaction.', {
    code: 'INVALID_INPUT',
    details: [`intent ${id}`],
    remedy: 'Check its address (including the checksum), data, value and gas.',
  })
}

/** The chain would refuse it, or did not answer. Nothing was stored. */
export function unestimated(cause: unknown): BardoError {
  const isOf = (type: typeof ExecutionRevertedError | typeof InsufficientFundsError) =>
    cause instanceof BaseError && cause.walk((error) => error instanceof type) !== null
  if (isOf(InsufficientFundsError))
    return new BardoError('The key’s balance is too low for the transaction.', {
      code: 'INSUFFICIENT_FUNDS',
      cause,
    })
  if (isOf(ExecutionRevertedError))
    return new BardoError('The transaction would revert. It was not sent.', {
      code: 'TRANSACTION_REVERTED',
      cause,
    })
  return new BardoError('The node could not estimate the transaction.', { code: 'RPC_UNAVAILABLE', cause })
}

/** The key has less than the transaction costs. Nothing was sent. */
export function unpayable(): BardoError {
  return new BardoError('The key’s balance is too low for the transaction.', {
    code: 'INSUFFICIENT_FUNDS',
    remedy: 'Fund the key, or wait until gas is cheaper.',
  })
}

/** The patience ran out. */
export function stillOpen({ intent, attempts, nonce }: JournalRecord, cause: unknown): BardoError {
  return new BardoError('The transaction has not landed yet.', {
    code: 'OUTCOME_UNKNOWN',
    outcome: 'unknown',
    details: [
      `intent ${intent.id}`,
      nonce === undefined ? 'no nonce yet' : `nonce ${nonce} of ${intent.from}`,
      ...attempts.map(({ hash }) => `transaction ${hash}`),
    ],
    remedy: 'Submit the same intent again to keep waiting, or cancel it. It lands at most once.',
    cause,
  })
}

/** The intent was cancelled, and its nonce is used. */
export function closed({ id }: Intent): BardoError {
  return new BardoError('The intent was closed before it landed.', {
    code: 'INTENT_CLOSED',
    details: [`intent ${id}`],
    remedy: 'Submit it under a new id if you still need it.',
  })
}

/** A rotation retired the key before the intent had a nonce: it was never signed. */
export function retired(id: string, from: Address): BardoError {
  return new BardoError('A key rotation retired this key before the transaction was signed.', {
    code: 'INTENT_CLOSED',
    outcome: 'not-sent',
    details: [`intent ${id}`, `key ${from}`],
    remedy: 'Try again: the new key sends it.',
  })
}

/** Another party signs with this key. */
export function displaced({ id, from }: Intent, nonce: number, by: Hash | undefined): BardoError {
  return new BardoError('A transaction that is not in the journal used the nonce.', {
    code: 'NONCE_TAKEN',
    details: [`intent ${id}`, `nonce ${nonce} of ${from}`, by ? `transaction ${by}` : 'an authorization'],
    remedy:
      'If you did not send that transaction, treat the key as compromised. Otherwise submit under a new id.',
  })
}

/** The error with a correct outcome: a signed attempt may land although this process gave up. */
export function withOutcome(error: BardoError, { attempts }: JournalRecord): BardoError {
  if (attempts.length === 0 || error.outcome !== 'not-sent') return error
  const { code, details, remedy, docsPath, retryable, retryAfter } = error
  return new BardoError(error.shortMessage, {
    code,
    details,
    retryable,
    outcome: 'unknown',
    cause: error,
    ...(remedy === undefined ? {} : { remedy }),
    ...(docsPath === undefined ? {} : { docsPath }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}

/** The bundler refused the operation. Nothing was stored. */
export function bundlerRefused(cause: unknown): BardoError {
  return new BardoError('The bundler refused the operation.', {
    code: 'USER_OPERATION_REFUSED',
    details: cause instanceof BaseError ? [cause.details || cause.shortMessage] : [],
    remedy: 'AA2x errors concern the account (funds, signature, nonce), AA3x errors the paymaster.',
    docsPath: 'redeeming.md#as-a-useroperation',
    cause,
  })
}
