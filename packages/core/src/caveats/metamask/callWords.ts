import { type Address, type Hex, hexToBigInt, slice } from 'viem'
import type { Names } from '../caveatKind.ts'
import { ether, money, named } from './words.ts'

type SignedCall = { readonly target: Address; readonly value: bigint; readonly callData: Hex }

/** `transfer(address,uint256)` and `approve(address,uint256)`: both have two words of arguments. */
const tokenCalls: Readonly<Record<string, (amount: string, party: string) => string>> = {
  '0xa9059cbb': (amount, party) => `send ${amount} to ${party}`,
  '0x095ea7b3': (amount, party) => `let ${party} take ${amount}`,
}
const tokenCallBytes = 4 + 2 * 32

/**
 * A call for a person: `send 50 USDC to 0x…`. A call that is neither a plain payment nor a token's transfer or approval
 * is shown as its bytes.
 */
export function callWords({ target, value, callData }: SignedCall, names: Names): string {
  if (callData === '0x') return `send ${ether(value)} to ${named(target, names)}`
  const words = value === 0n ? tokenCallWords(target, callData, names) : undefined
  return words ?? `${callData} to ${named(target, names)} with ${ether(value)}`
}

function tokenCallWords(token: Address, callData: Hex, names: Names): string | undefined {
  const tokenCall = tokenCalls[callData.slice(0, 10).toLowerCase()]
  // An unknown contract may do anything with the same selector.
  if (!tokenCall || callData.length !== 2 + 2 * tokenCallBytes || !names.token(token)) return undefined
  const party = slice(callData, 4, 36)
  if (hexToBigInt(party) >> 160n !== 0n) return undefined
  const amount = money(hexToBigInt(slice(callData, 36)), token, names)
  return tokenCall(amount, named(slice(party, 12), names))
}
