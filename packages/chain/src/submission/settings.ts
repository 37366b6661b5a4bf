/** How patient, how generous and how sure a submitter is. */
export type SubmitterSettings = {
  /** Blocks that must hold a transaction, its own included, or the chain's own word for it. */
  readonly finality: number | 'finalized'
  /** Between two looks at the chain. */
  readonly pollMs: number
  /** A transaction that is not seen for this long is replaced by one with higher fees. */
  readonly replaceAfterMs: number
  /** Transactions signed for one intent at most; as many again to close its nonce. */
  readonly maxAttempts: number
  /** Never offered more than this, in wei for a unit of gas. */
  readonly maxFeePerGas: bigint
  /** After this long `submit` answers `OUTCOME_UNKNOWN`; the intent stays open. */
  readonly patienceMs: number
}

export const defaultSettings: SubmitterSettings = {
  finality: 3,
  pollMs: 1_000,
  replaceAfterMs: 30_000,
  maxAttempts: 6,
  maxFeePerGas: 500_000_000_000n,
  patienceMs: 180_000,
}
