import type { Capability } from '@bardo/store'
import type { Action } from './action.ts'

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
   * Returns false if the Golem has already minted `most` capabilities since `since` (milliseconds since 1970), or
   * if the id is taken.
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
