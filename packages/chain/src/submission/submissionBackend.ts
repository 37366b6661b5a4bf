import type { Attempt, Intent, JournalRecord, Mined } from '@bardo/core'
import type { Address, Hex } from 'viem'
import type { Reception } from './broadcast.ts'
import type { TransactionRequest } from './createSubmitter.ts'
import type { Fees } from './fees.ts'
import type { Sighting } from './findAttempts.ts'
import type { SubmitterSettings } from './settings.ts'

/** What is stored of a request, besides its id and its sender. */
type Draft = Pick<Intent, 'to' | 'value' | 'data' | 'gas' | 'sweep' | 'operation'>

/** The inputs of an attempt's signature. */
export type Signing = {
  readonly nonce: number
  readonly fees: Fees
  readonly purpose: Attempt['purpose']
  /** Number of attempts signed before. */
  readonly earlier: number
  readonly at: number
}

/**
 * How one sender's calls get onto the chain: as transactions of a key, or as UserOperations of an account.
 * The rest of the exactly-once logic is the same for both.
 */
export type SubmissionBackend = {
  readonly from: Address
  /** Simulates the call and estimates its gas, before a nonce is claimed. */
  draft(request: TransactionRequest): Promise<Draft>
  /** Whether an intent was stored for this request. */
  isSame(intent: Intent, request: TransactionRequest): boolean
  /** The lowest nonce that is unused on chain. */
  nextNonce(): Promise<number>
  /**
   * Whether the chain itself proves that all nonces below this one are used. Throws if the node cannot tell.
   */
  isUsedUpTo(nonce: number): Promise<boolean>
  /** Whether the node has a pending transaction with this nonce. Omitted if no node can tell. */
  isPending?(nonce: number): Promise<boolean>
  /** Whether a block is still part of the chain; undefined if the chain does not reach its height. */
  isCanonical(mined: Mined): Promise<boolean | undefined>
  /** The fees that an attempt for this intent should offer now. */
  todaysFees(intent: Intent): Promise<Fees>
  /** Whether the sender can pay this much for an intent. Omitted if another party may pay. */
  affords?(intent: Intent, fees: Fees): Promise<boolean>
  sign(intent: Intent, signing: Signing): Promise<Attempt>
  /** Never throws: after any failure, the node may still have accepted it. */
  broadcast(raw: Hex): Promise<Reception>
  /** Searches the chain for everything that was ever signed at the record's nonce. */
  find(record: JournalRecord, finality: SubmitterSettings['finality']): Promise<Sighting>
}
