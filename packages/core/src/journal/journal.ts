import type { Address, Hash, Hex } from 'viem'

/** A sender on a chain: nonces are counted per pair. */
export type Sender = { readonly chainId: number; readonly from: Address }

/** One requested transaction. The caller chooses the id; the same id means the same request. */
export type Intent = Sender & {
  readonly id: string
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
  /** Fixed before a nonce is claimed, so that a restart can sign without reading the chain. */
  readonly gas: bigint
  /** After this time (milliseconds) its nonce is closed instead. */
  readonly expiresAt?: number
  /**
   * Sends the key's whole balance: each attempt sends what its gas price leaves. `value` is what the first
   * price left.
   */
  readonly sweep?: true
  /** For a UserOperation: the gas limits besides that of its call, which is `gas`. */
  readonly operation?: { readonly verificationGas: bigint; readonly preVerificationGas: bigint }
}

/** A signed transaction at the intent's nonce. Stored before it is broadcast, and never deleted. */
export type Attempt = {
  readonly hash: Hash
  readonly raw: Hex
  /** `close` is a zero self-transfer: it uses up the nonce, so that the intent can no longer land. */
  readonly purpose: 'intent' | 'close'
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly storedAt: number
}

/** The block of one of the attempts. A reorganisation may still undo it. */
export type Mined = {
  readonly hash: Hash
  /** The bundler's transaction, if the attempt is a UserOperation: its own hash is not a transaction's. */
  readonly transaction?: Hash
  readonly blockNumber: bigint
  readonly blockHash: Hash
  readonly status: 'success' | 'reverted'
}

/**
 * The transaction that mined an attempt: its own, or for a UserOperation the bundler's.
 *
 * @example
 * minedTransaction({ hash: '0xa1', transaction: '0xb2' }) // '0xb2'
 */
export function minedTransaction({ hash, transaction = hash }: Pick<Mined, 'hash' | 'transaction'>): Hash {
  return transaction
}

/**
 * The final result of an intent: it landed; a self-transfer closed its nonce; something outside the journal
 * used its nonce (a transaction, or an EIP-7702 authorization, which has no hash); or it was dropped before
 * it had a nonce.
 */
export type IntentOutcome =
  | { readonly kind: 'landed'; readonly mined: Mined }
  | { readonly kind: 'closed'; readonly mined: Mined }
  | { readonly kind: 'displaced'; readonly by: Hash | undefined }
  | { readonly kind: 'dropped' }

/** The stored record of one intent. */
export type JournalRecord = {
  readonly intent: Intent
  readonly addedAt: number
  readonly nonce: number | undefined
  readonly attempts: readonly Attempt[]
  /** Set once it was decided that the intent must not land any more. */
  readonly closing: boolean
  readonly mined: Mined | undefined
  readonly settlement: IntentOutcome | undefined
  /**
   * The last settlement that a reorganisation undid. While the intent is open, its new result must still be
   * reported.
   */
  readonly undone: IntentOutcome | undefined
}

/**
 * The source of truth about transactions (docs/design.md#promises). Every write is conditional, like one SQL
 * statement: it returns whether this caller wrote, and any number of processes may try.
 */
export type Journal = {
  /** False if an intent with that id exists, whatever its content. */
  addIntent(intent: Intent, at: number): Promise<boolean>
  /**
   * False if the intent has a nonce, is closing or settled, or another intent of that sender has this nonce.
   */
  claimNonce(intentId: string, nonce: number): Promise<boolean>
  /**
   * Adds a signed attempt. False if the record does not have exactly `expected` attempts, is settled or has
   * no nonce, or if the attempt is for an intent that is closing.
   */
  addAttempt(intentId: string, expected: number, attempt: Attempt): Promise<boolean>
  /** Decides that the intent must not land any more. False if that was already decided, or it is settled. */
  close(intentId: string): Promise<boolean>
  /** Records the block that includes it, or that it is no longer included. False if it is settled. */
  noteMined(intentId: string, mined: Mined | undefined): Promise<boolean>
  /** Settles the intent. False if it is settled; `dropped` also if it has a nonce. */
  settle(intentId: string, settlement: IntentOutcome): Promise<boolean>
  /**
   * Undoes the settlement of an intent that has a nonce, after a reorganisation. `undone` keeps the old
   * settlement. `closing` also decides that the intent must not land any more. False if it is not settled.
   */
  reopen(intentId: string, closing: boolean): Promise<boolean>
  find(intentId: string): Promise<JournalRecord | undefined>
  /** Open intents, lowest nonce first, those without a nonce last. */
  open(sender: Sender): Promise<readonly JournalRecord[]>
  /** All intents of the sender with this nonce or a higher one, settled or not, lowest first. */
  from(sender: Sender, nonce: number): Promise<readonly JournalRecord[]>
  /** The highest nonce ever claimed for the sender. */
  highestNonce(sender: Sender): Promise<number | undefined>
}
