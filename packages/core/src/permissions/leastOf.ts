/**
 * The smallest amount: Math.min for bigint.
 *
 * @example
 * leastOf(3n, 1n, 2n) // 1n
 */
export function leastOf(first: bigint, ...others: readonly bigint[]): bigint {
  let least = first
  for (const other of others) if (other < least) least = other
  return least
}

/**
 * The largest amount: Math.max for bigint.
 *
 * @example
 * mostOf(3n, 1n, 2n) // 3n
 */
export function mostOf(first: bigint, ...others: readonly bigint[]): bigint {
  let most = first
  for (const other of others) if (other > most) most = other
  return most
}
