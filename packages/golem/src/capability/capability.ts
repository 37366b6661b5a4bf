import type { Hash } from 'viem'

/**
 * The permission to do exactly one thing, once. Whoever asked for it holds its permit id alone; what it allows stays
 * in the ledger, so that nothing in the asker's hands can be changed or made up.
 */
export type Capability = {
  readonly permitId: string
  readonly golem: string
  readonly action: Hash
  /** min(requested, the policy's maximum). */
  readonly valueLimitCents: bigint
  readonly policy: Hash
  /** It can be used from this tick on … */
  readonly mintedAtTick: number
  /** … and before this one. */
  readonly expiresAtTick: number
  /** Unix seconds. */
  readonly mintedAt: number
}

/** Where capabilities are kept. Every write is conditional, as one SQL statement can be. */
export type CapabilityLedger = {
  /** False if the Golem minted `most` since `since` already, or if that id is taken. */
  add(capability: Capability, rate: { readonly most: number; readonly since: number }): Promise<boolean>
  find(
    permitId: string,
  ): Promise<{ readonly capability: Capability; readonly consumedBy: string | undefined } | undefined>
  /**
   * Uses it up for one intent. True for the first intent that comes, and again for that same intent: a process that
   * crashed after this and before its next step goes on with it. False for every other.
   */
  consume(permitId: string, intentId: string): Promise<boolean>
}
