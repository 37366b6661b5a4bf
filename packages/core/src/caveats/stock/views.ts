import { type Address, type Hex, toFunctionSelector } from 'viem'
import type { Read } from '../caveatKind.ts'
import { addressWord } from '../execution/digits.ts'
import { rememberReads } from '../verdict/rememberReads.ts'

/** A view function whose arguments are all words: fast enough to be written at every evaluation. */
export function view(signature: string): (to: Address, ...words: readonly (Hex | bigint)[]) => Read {
  const selector = toFunctionSelector(signature)
  const known = rememberReads((to, words) => ({ to, data: `${selector}${words.join('')}` }))
  return (to, ...words) => known(to, words.map(padded))
}

function padded(value: Hex | bigint): string {
  return typeof value === 'bigint' ? value.toString(16).padStart(64, '0') : addressWord(value)
}

/** Multicall3 has the same address on every chain that Bardo knows, the devnet included. */
const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const getEthBalance = view('getEthBalance(address)')

/** An account's native balance, as a question that `eth_call` can answer. */
export function nativeBalance(account: Address): Read {
  return getEthBalance(multicall3, account)
}

/** `balanceOf(address)`, of ERC-20 and ERC-721 alike. */
export const balanceOf = view('balanceOf(address)')
