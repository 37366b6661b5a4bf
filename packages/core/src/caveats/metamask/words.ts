import type { Address } from 'viem'
import { formatAmount } from '../../format/money.ts'
import { formatNumber } from '../../format/number.ts'
import type { Coverage, Names } from '../caveatKind.ts'

/** The child allows nothing more than the parent. */
export const covered: Coverage = { type: 'covered' }

/** The child allows more, or the two cannot be compared. */
export function wider(because: string): Coverage {
  return { type: 'wider', because }
}

/** `covered` if the condition holds, else wider with the reason. Formatting costs time: pass it as a function. */
export function coveredIf(holds: boolean, because: string | (() => string)): Coverage {
  if (holds) return covered
  return wider(typeof because === 'string' ? because : because())
}

/** An amount of a token for a person: `1,000 USDC`. */
export function money(amount: bigint, token: Address, names: Names): string {
  const metadata = names.token(token)
  if (!metadata) return `${formatNumber(amount)} units of the token ${named(token, names)}`
  return `${formatAmount(amount, metadata.decimals)} ${metadata.symbol}`
}

/** An amount of native currency. */
export function ether(amount: bigint): string {
  return `${formatAmount(amount, 18)} of the native currency`
}

/** The label of an address, or the address. */
export function named(address: Address, names: Names): string {
  return names.label(address) ?? address
}

/** A list in words: a, b or c. */
export function either(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`
}
