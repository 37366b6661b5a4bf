import { type Address, type Hash, type Hex, sha256, stringToHex } from 'viem'
import { canonicalJson } from './canonicalJson.ts'

/** One execution on the owner's account, call by call, in its order. */
export type Action = {
  readonly chainId: number
  readonly account: Address
  readonly calls: readonly { readonly target: Address; readonly value: bigint; readonly data: Hex }[]
}

/** What an action is known by. One byte more, another order, another chain: another hash. */
export function actionHash({ chainId, account, calls }: Action): Hash {
  const plain = calls.map(({ target, value, data }) => ({
    target: target.toLowerCase(),
    value,
    data: data.toLowerCase(),
  }))
  return sha256(stringToHex(canonicalJson({ chainId, account: account.toLowerCase(), calls: plain })))
}
