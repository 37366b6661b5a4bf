import { formatNumber } from './number.ts'

/**
 * Cents as dollars with two decimals.
 *
 * @example
 * formatDollars(100_000n) // '$1,000.00'
 */
export function formatDollars(cents: bigint | string): string {
  const { sign, whole, rest } = splitCents(BigInt(cents))
  return `${sign}$${whole}.${rest}`
}

/**
 * Cents as dollars, with decimals only if they are not zero.
 *
 * @example
 * formatShortDollars(100_000n) // '$1,000'
 */
export function formatShortDollars(cents: bigint): string {
  const { sign, whole, rest } = splitCents(cents)
  return rest === '00' ? `${sign}$${whole}` : `${sign}$${whole}.${rest}`
}

/**
 * Cents as dollars for a narrow column: without decimals for whole or large amounts, `k` and `M` for thousands
 * and millions.
 *
 * @example
 * formatCompactDollars('2500000') // '$25k'
 */
export function formatCompactDollars(cents: bigint | string): string {
  const amount = Number(cents) / 100
  if (amount >= 1_000_000) return `$${(amount / 1_000_000).toFixed(1)}M`
  if (amount >= 10_000) return `$${(amount / 1_000).toFixed(0)}k`
  return Number.isInteger(amount) || amount >= 1_000 ? `$${amount.toFixed(0)}` : `$${amount.toFixed(2)}`
}

/**
 * An amount of base units with its decimals, without trailing zeros.
 *
 * @example
 * formatAmount(1_250_500_000n, 6) // '1,250.5'
 */
export function formatAmount(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = formatNumber(BigInt(digits.slice(0, digits.length - decimals)))
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}

function splitCents(cents: bigint) {
  const size = cents < 0n ? -cents : cents
  return {
    sign: cents < 0n ? '-' : '',
    whole: formatNumber(size / 100n),
    rest: (size % 100n).toString().padStart(2, '0'),
  }
}
