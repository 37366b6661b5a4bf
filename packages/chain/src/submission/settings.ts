/** Polling, fee and finality settings of a submitter. */
export type SubmitterSettings = {
  /**
   * Confirmations that a transaction needs, its own block included; or `finalized`: the chain's own finality.
   */
  readonly finality: number | 'finalized'
  /** Milliseconds between two reads of the chain. */
  readonly pollMs: number
  /** A transaction that is not mined within this time is replaced at higher fees. */
  readonly replaceAfterMs: number
  /** Maximum number of transactions signed for one intent, and again for closing its nonce. */
  readonly maxAttempts: number
  /** Maximum fee, in wei per unit of gas. */
  readonly maxFeePerGas: bigint
  /**
   * Maximum tip, in wei per unit of gas. Does not apply to a sweep: `sendAllGas` offers its whole price as
   * the tip.
   */
  readonly maxPriorityFeePerGas: bigint
  /** After this time `submit` throws `OUTCOME_UNKNOWN`; the intent stays open. */
  readonly patienceMs: number
}

export const defaultSettings: SubmitterSettings = {
  finality: 3,
  pollMs: 1_000,
  replaceAfterMs: 30_000,
  maxAttempts: 6,
  maxFeePerGas: 500_000_000_000n,
  maxPriorityFeePerGas: 50_000_000_000n,
  patienceMs: 180_000,
}
