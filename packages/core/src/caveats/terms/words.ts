import type { Address } from 'viem'
import type { Names } from '../caveatKind.ts'

/** Cents as a person writes them: $1,000 or $0.50. */
export function dollarsOf(cents: bigint): string {
  const rest = cents % 100n
  const whole = grouped(cents / 100n)
  return rest === 0n ? `$${whole}` : `$${whole}.${rest.toString().padStart(2, '0')}`
}

/** Cents with both digits, as a statement of account has them: $1,000.00. */
export function statedDollars(cents: bigint): string {
  return `$${grouped(cents / 100n)}.${(cents % 100n).toString().padStart(2, '0')}`
}

/** A whole number with its thousands apart. */
export function grouped(value: bigint | number): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Unix seconds as ISO time in UTC. */
export function isoTime(seconds: bigint | number): string {
  const milliseconds = Number(seconds) * 1000
  // Years that a date cannot hold are as good as never.
  if (milliseconds > 8.64e15) return 'the end of time'
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

/** A length of time in the largest unit that fits: 30 days, 90 seconds. */
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

export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Basis points as a person says them: 0.5 %. */
export function percentOf(bps: number): string {
  return `${bps / 100} %`
}

/** One, two and three. */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** A contract's or a person's name, or the address where there is none. */
export function nameOf(address: Address, names: Names): string {
  if (BigInt(address) === 0n) return names.token(address)?.symbol ?? 'native currency'
  return names.token(address)?.symbol ?? names.label(address) ?? address
}

/** A Golem's or a lineage's id, as short as a person can compare it. */
export function shortId(id: string): string {
  return `${id.slice(0, 10)}…${id.slice(-4)}`
}
