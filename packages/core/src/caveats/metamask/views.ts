import type { Address, Hex } from 'viem'
import type { Read } from '../caveatKind.ts'
import { addressWord, selectorOf } from '../execution/digits.ts'
import { rememberReads } from '../verdict/rememberReads.ts'

/** A view function with word arguments only: cheap enough to encode at every evaluation. */
export function view(signature: string): (to: Address, ...words: readonly (Hex | bigint)[]) => Read {
  const selector = selectorOf(signature)
  const readOf = rememberReads((to, words) => ({ to, data: `${selector}${words.join('')}` }))
  return (to, ...words) => readOf(to, words.map(padded))
}

function padded(value: Hex | bigint): string {
  return typeof value === 'bigint' ? value.toString(16).padStart(64, '0') : addressWord(value)
}

/** Multicall3 has the same address on every supported chain, including the devnet. */
const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const getEthBalance = view('getEthBalance(address)')

/** Reads an account's native balance by `eth_call`. */
export function nativeBalance(account: Address): Read {
  return getEthBalance(multicall3, account)
}

/** `balanceOf(address)`, the same for ERC-20 and ERC-721. */
export const balanceOf = view('balanceOf(address)')
