/**
 * A whole number with thousands separators.
 *
 * @example
 * formatNumber(1_250_000n) // '1,250,000'
 */
export function formatNumber(value: bigint | number): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ',')
}

/**
 * A number of things, with the plural of the noun.
 *
 * @example
 * formatCount(1_000, 'call') // '1,000 calls'
 */
export function formatCount(count: bigint | number, noun: string): string {
  return `${formatNumber(count)} ${noun}${Number(count) === 1 ? '' : 's'}`
}
