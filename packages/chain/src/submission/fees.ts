/** The fees of a transaction, in wei per unit of gas. */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

const max = (a: bigint, b: bigint) => (a > b ? a : b)
const min = (a: bigint, b: bigint) => (a < b ? a : b)

/** An eighth more, rounded up: nodes require a tenth, some an eighth. */
const raise = (fee: bigint) => fee + fee / 8n + 1n

/**
 * The fees of the next attempt: today's, and at least an eighth more than the last attempt's, because a node
 * refuses a cheaper replacement. Undefined if that would exceed a cap.
 */
export function nextFees(today: Fees, last: Fees | undefined, cap: Fees): Fees | undefined {
  const offered = {
    maxFeePerGas: min(today.maxFeePerGas, cap.maxFeePerGas),
    maxPriorityFeePerGas: min(today.maxPriorityFeePerGas, cap.maxPriorityFeePerGas),
  }
  const maxFeePerGas = last ? max(raise(last.maxFeePerGas), offered.maxFeePerGas) : offered.maxFeePerGas
  const priority = last
    ? max(raise(last.maxPriorityFeePerGas), offered.maxPriorityFeePerGas)
    : offered.maxPriorityFeePerGas
  if (maxFeePerGas > cap.maxFeePerGas || priority > cap.maxPriorityFeePerGas) return undefined
  return { maxFeePerGas, maxPriorityFeePerGas: min(priority, maxFeePerGas) }
}

/**
 * Fees of a transaction whose cost must be exact: the whole price is the tip, so the block's base fee does
 * not change the cost. At the market price the block producer gets the market tip, so the suggested tip does
 * not change.
 */
export function exactFees(price: bigint): Fees {
  return { maxFeePerGas: price, maxPriorityFeePerGas: price }
}

/** A sweep pays at most this percentage of the market price. */
const maxMarketPercent = 130n

/** The fee caps of a sweep, which offers its whole price as the tip. */
export function sweepCap(market: Fees, cap: bigint): Fees {
  return exactFees(min(cap, (market.maxFeePerGas * maxMarketPercent) / 100n))
}
