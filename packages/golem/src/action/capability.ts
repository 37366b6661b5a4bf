import type { Hash } from 'viem'
import type { Action } from './action.ts'

/**
 * The right to commit exactly one action, once. The caller holds only the capability id. The limits and the
 * built action stay in the ledger, so that a caller cannot change or forge them.
 */
export type Capability = {
  readonly capabilityId: string
  readonly golem: string
  readonly action: Hash
  /** min(requested, the policy's maximum). */
  readonly valueLimitCents: bigint
  readonly policy: Hash
  /** The first tick at which it can be used. */
  readonly mintedAtTick: number
  /** The first tick at which it can no longer be used. */
  readonly expiresAtTick: number
  /** Unix seconds. */
  readonly mintedAt: number
}

/** A capability as the ledger stores it. */
type LedgerEntry = {
  readonly capability: Capability
  /** The action to send; undefined for a capability that version 0.1 minted. */
  readonly built: Action | undefined
  readonly consumedBy: string | undefined
}

/** Stores capabilities. Every write is conditional, so that one SQL statement can implement it. */
export type CapabilityLedger = {
  /**
   * Returns false if the Golem has already minted `most` capabilities since `since`, or if the id is taken.
   */
  add(
    capability: Capability,
    built: Action,
    rate: { readonly most: number; readonly since: number },
  ): Promise<boolean>
  find(capabilityId: string): Promise<LedgerEntry | undefined>
  /**
   * Consumes the capability for one intent. Returns true for the first intent, and again for the same intent,
   * so that a process that crashed before its next step can continue. Returns false for every other intent.
   */
  consume(capabilityId: string, intentId: string): Promise<boolean>
}
