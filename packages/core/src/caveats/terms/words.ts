import type { Address } from 'viem'
import { formatDuration } from '../../format/duration.ts'
import type { Names } from '../caveatKind.ts'

/** The window of a total in words; 0 is the whole life. */
export function periodOf(seconds: number): string {
  if (seconds === 0) return 'the whole life'
  return seconds === 86_400 ? 'any 24 hours' : `any ${formatDuration(seconds)}`
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
