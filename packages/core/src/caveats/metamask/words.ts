import { type Address, formatUnits } from 'viem'
import type { Coverage, Names } from '../caveatKind.ts'

/** The child allows nothing more than the parent. */
export const covered: Coverage = { type: 'covered' }

/** The child allows more, or the two cannot be compared. */
export function wider(because: string): Coverage {
  return { type: 'wider', because }
}

/** `covered` if the condition holds, else wider with the reason. */
export function coveredIf(holds: boolean, because: string): Coverage {
  return holds ? covered : wider(because)
}

/** An amount of a token for a person: `1,000 USDC`. */
export function money(amount: bigint, token: Address, names: Names): string {
  const metadata = names.token(token)
  if (!metadata) return `${grouped(amount.toString())} units of the token ${named(token, names)}`
  return `${grouped(formatUnits(amount, metadata.decimals))} ${metadata.symbol}`
}

/** An amount of native currency. */
export function ether(amount: bigint): string {
  return `${grouped(formatUnits(amount, 18))} of the native currency`
}

/** A whole number with commas. */
export function count(number: bigint): string {
  return grouped(number.toString())
}

/** The known name, or the address. */
export function named(address: Address, names: Names): string {
  return names.label(address) ?? address
}

/** A list in words: a, b or c. */
export function either(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`
}

/** A moment in UTC, to the second; a plain number beyond the year 9999. */
export function moment(seconds: bigint): string {
  if (seconds > 253_402_300_799n) return `second ${seconds}`
  const iso = new Date(Number(seconds) * 1000).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}

/** A duration in its largest whole unit: `7 days`. */
export function duration(seconds: bigint): string {
  for (const [unit, length] of units) {
    if (seconds >= length && seconds % length === 0n) {
      const many = seconds / length
      return many === 1n ? `1 ${unit}` : `${count(many)} ${unit}s`
    }
  }
  return `${count(seconds)} seconds`
}

const units = [
  ['day', 86_400n],
  ['hour', 3_600n],
  ['minute', 60n],
  ['second', 1n],
] as const

function grouped(number: string): string {
  const [whole = '0', fraction] = number.split('.')
  const commas = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? commas : `${commas}.${fraction}`
}
