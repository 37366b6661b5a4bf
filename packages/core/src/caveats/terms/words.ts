import type { Address } from 'viem'
import type { Names } from '../caveatKind.ts'

/** Cents as dollars: $1,000 or $0.50. */
export function dollarsOf(cents: bigint): string {
  const rest = cents % 100n
  const whole = grouped(cents / 100n)
  return rest === 0n ? `$${whole}` : `$${whole}.${rest.toString().padStart(2, '0')}`
}

/** Cents as dollars with two decimals: $1,000.00. */
export function statedDollars(cents: bigint): string {
  return `$${grouped(cents / 100n)}.${(cents % 100n).toString().padStart(2, '0')}`
}

/** A whole number with thousands separators. */
export function grouped(value: bigint | number): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ',')
}

/**
 * Unix seconds as ISO time in UTC.
 *
 * @example
 * isoTime(1_800_000_000) // '2027-01-15T08:00:00Z'
 */
export function isoTime(seconds: bigint | number): string {
  const milliseconds = Number(seconds) * 1000
  // Beyond the range of a JavaScript date.
  if (milliseconds > 8.64e15) return 'the end of time'
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

/** A duration in the largest unit that fits: 30 days, 90 seconds. */
export function durationOf(seconds: number): string {
  const units: readonly [name: string, size: number][] = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ]
  for (const [name, size] of units) {
    if (seconds >= size && seconds % size === 0) return counted(seconds / size, name)
  }
  return counted(seconds, 'second')
}

/** The window of a total in words; 0 is the whole life. */
export function periodOf(seconds: number): string {
  if (seconds === 0) return 'the whole life'
  return seconds === 86_400 ? 'any 24 hours' : `any ${durationOf(seconds)}`
}

/** An amount of base units with decimals and without trailing zeros: 0.05. */
export function decimalsOf(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = grouped(BigInt(digits.slice(0, digits.length - decimals)))
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}

export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Basis points as a percentage: 0.5 %. */
export function percentOf(bps: number): string {
  return `${bps / 100} %`
}

/** A list in words: a, b and c. */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** The name of a contract or a person, or the address if there is none. */
export function nameOf(address: Address, names: Names): string {
  if (BigInt(address) === 0n) return names.token(address)?.symbol ?? 'native currency'
  return names.token(address)?.symbol ?? names.label(address) ?? address
}

/** A Golem's or a lineage's id, shortened for comparison by eye. */
export function shortId(id: string): string {
  return `${id.slice(0, 10)}…${id.slice(-4)}`
}
