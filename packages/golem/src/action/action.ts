import { canonicalJson } from '@bardo/core'
import { type Address, type Hash, type Hex, sha256, stringToHex } from 'viem'

/** One execution on the owner's account, call by call, in its order. */
export type Action = {
  readonly chainId: number
  readonly account: Address
  readonly calls: readonly { readonly target: Address; readonly value: bigint; readonly data: Hex }[]
}

/** The identity of an action. Another byte, another order of calls or another chain gives another hash. */
export function actionHash({ chainId, account, calls }: Action): Hash {
  const plain = calls.map(({ target, value, data }) => ({
    target: target.toLowerCase(),
    value,
    data: data.toLowerCase(),
  }))
  return sha256(stringToHex(canonicalJson({ chainId, account: account.toLowerCase(), calls: plain })))
}
