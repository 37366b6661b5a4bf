/** What a transaction offers, in wei for a unit of gas. */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

const max = (a: bigint, b: bigint) => (a > b ? a : b)
const min = (a: bigint, b: bigint) => (a < b ? a : b)

/** An eighth more, rounded up: nodes ask for a tenth, some for an eighth. */
const raised = (fee: bigint) => fee + fee / 8n + 1n

/**
 * The fees of the next attempt: today's, and at least an eighth more than the last attempt's, since a node refuses to
 * replace for less. Undefined where that would go over the cap.
 */
export function nextFees(today: Fees, last: Fees | undefined, cap: bigint): Fees | undefined {
  const maxFeePerGas = last
    ? max(raised(last.maxFeePerGas), min(today.maxFeePerGas, cap))
    : min(today.maxFeePerGas, cap)
  const priority = last
    ? max(raised(last.maxPriorityFeePerGas), today.maxPriorityFeePerGas)
    : today.maxPriorityFeePerGas
  if (maxFeePerGas > cap) return undefined
  return { maxFeePerGas, maxPriorityFeePerGas: min(priority, maxFeePerGas) }
}
