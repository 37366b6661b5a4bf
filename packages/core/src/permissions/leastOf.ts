/** The smallest of some amounts: Math.min for bigint. */
export function leastOf(first: bigint, ...others: readonly bigint[]): bigint {
  let least = first
  for (const other of others) if (other < least) least = other
  return least
}

/** The largest of some amounts: Math.max for bigint. */
export function mostOf(first: bigint, ...others: readonly bigint[]): bigint {
  let most = first
  for (const other of others) if (other > most) most = other
  return most
}
