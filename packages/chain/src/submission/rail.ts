import type { Attempt, Intent, JournalRecord } from '@bardo/core'
import type { Address, Hex } from 'viem'
import type { Reception } from './broadcast.ts'
import type { Wish } from './createSubmitter.ts'
import type { Fees } from './fees.ts'
import type { Sighting } from './look.ts'
import type { SubmitterSettings } from './settings.ts'

/** What is written down of a wish beside its id and its sender. */
type Draft = Pick<Intent, 'to' | 'value' | 'data' | 'gas'>

/** What an attempt is signed with. */
export type Signing = {
  readonly nonce: number
  readonly fees: Fees
  readonly purpose: Attempt['purpose']
  /** How many were signed before. */
  readonly earlier: number
  readonly at: number
}

/**
 * How what one sender signs gets onto the chain: as transactions of a key, or as UserOperations of an account. All else
 * about landing once is the same for both.
 */
export type Rail = {
  readonly from: Address
  /** Asks the chain whether it would work, and what it takes: before a nonce is claimed. */
  draft(wish: Wish): Promise<Draft>
  /** Whether an intent is what this wish was written down as. */
  isSame(intent: Intent, wish: Wish): boolean
  /** The lowest nonce that the chain has not seen. */
  nextNonce(): Promise<number>
  todaysFees(): Promise<Fees>
  /** Whether the sender could pay this much for an intent; left out where somebody else may pay. */
  affords?(intent: Intent, fees: Fees): Promise<boolean>
  sign(intent: Intent, signing: Signing): Promise<Attempt>
  /** Never throws: whatever happens, it may have been taken. */
  broadcast(raw: Hex): Promise<Reception>
  /** Looks for everything that was ever signed at the record's nonce. */
  look(record: JournalRecord, finality: SubmitterSettings['finality']): Promise<Sighting>
}
