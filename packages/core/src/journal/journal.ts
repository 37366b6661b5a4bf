import type { Address, Hash, Hex } from 'viem'

/** Who sends, on which chain: nonces are counted for each such pair. */
export type Sender = { readonly chainId: number; readonly from: Address }

/** One transaction that is wanted, once. Its id is chosen by the caller; the same id is the same wish. */
export type Intent = Sender & {
  readonly id: string
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
  /** Fixed before a nonce is claimed, so that a restart can sign without asking the chain. */
  readonly gas: bigint
  /** After this moment (milliseconds) its nonce is closed instead. */
  readonly expiresAt?: number
}

/** A signed transaction at the intent's nonce. Stored before it is broadcast, and kept for ever. */
export type Attempt = {
  readonly hash: Hash
  readonly raw: Hex
  /** `close` is a transfer of nothing to oneself: it uses the nonce up, so that the intent can no longer land. */
  readonly purpose: 'intent' | 'close'
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly storedAt: number
}

/** Where one of the attempts was seen. It may still be undone by a reorganisation. */
export type Mined = {
  readonly hash: Hash
  readonly blockNumber: bigint
  readonly blockHash: Hash
  readonly status: 'success' | 'reverted'
}

/**
 * How an intent ended, for good: it landed; its nonce was closed by a transfer to oneself; its nonce was used by
 * something that is none of ours (a transaction, or an EIP-7702 authorization, which has no hash); or it was dropped
 * before it had a nonce.
 */
export type Settlement =
  | { readonly kind: 'landed'; readonly mined: Mined }
  | { readonly kind: 'closed'; readonly mined: Mined }
  | { readonly kind: 'displaced'; readonly by: Hash | undefined }
  | { readonly kind: 'dropped' }

/** All that is known of one intent. */
export type JournalRecord = {
  readonly intent: Intent
  readonly addedAt: number
  readonly nonce: number | undefined
  readonly attempts: readonly Attempt[]
  /** Set once somebody decided that it shall not land any more. */
  readonly closing: boolean
  readonly mined: Mined | undefined
  readonly settlement: Settlement | undefined
}

/**
 * The truth about transactions (P8). Every write is conditional, as one SQL statement can be: it says whether it was
 * this caller's, and any number of processes may try.
 */
export type Journal = {
  /** False if an intent of that id is there already, whatever it says. */
  addIntent(intent: Intent, at: number): Promise<boolean>
  /** False if the intent has a nonce, is closing or settled, or another intent of that sender has this nonce. */
  claimNonce(intentId: string, nonce: number): Promise<boolean>
  /**
   * Adds a signed attempt. False if the record has not exactly `expected` attempts, is settled or has no nonce, or if
   * an attempt for the intent comes after somebody decided to close it.
   */
  addAttempt(intentId: string, expected: number, attempt: Attempt): Promise<boolean>
  /** Decides that the intent shall not land any more. False if that was decided, or it is settled. */
  close(intentId: string): Promise<boolean>
  /** Notes where it was seen, or that it is there no longer. False if it is settled. */
  noteMined(intentId: string, mined: Mined | undefined): Promise<boolean>
  /** The end. False if it has one; `dropped` also if it has a nonce. */
  settle(intentId: string, settlement: Settlement): Promise<boolean>
  find(intentId: string): Promise<JournalRecord | undefined>
  /** What is not settled, lowest nonce first, those without one last. */
  open(sender: Sender): Promise<readonly JournalRecord[]>
  /** The highest nonce ever claimed for the sender. */
  highestNonce(sender: Sender): Promise<number | undefined>
}
