import type { Address } from 'viem'
import { type Mandate, maxAssets, trackedAsset } from '../terms/mandate.ts'
import { refuse } from '../verdict/refuse.ts'
import { addressAt, bytesAt, follow, malformed, selectorOf, wordAt } from './abiReader.ts'
import { classBits } from './actionClass.ts'
import { cleanAddressAt, type Digits, lengthOf, loadWord, packedAddressAt } from './digits.ts'
import { methodBits, selectors } from './methods.ts'
import { leaves, type Plan, type Planning } from './plan.ts'

// One hop of a V3 path: token 20 bytes, fee 3 bytes.
const hop = 23
const allAssets = 2 ** maxAssets - 1

/** Swaps through SwapRouter02, also inside one level of `multicall`. */
export function planRouter(
  plan: Plan,
  planning: Planning,
  mandate: Mandate,
  target: Address,
  data: Digits,
): void {
  const selector = selectorOf(data)
  const head = selector === selectors.multicall ? 4 : selector === selectors.multicallDeadline ? 36 : 0
  if (head === 0) {
    planRouterCall(plan, planning, mandate, target, data)
    return
  }
  visitMulticall(data, head, (inner) => {
    const innerSelector = selectorOf(inner)
    if (innerSelector === selectors.multicall || innerSelector === selectors.multicallDeadline)
      refuse('NestedTooDeep', target)
    planRouterCall(plan, planning, mandate, target, inner)
  })
}

/** Passes every call inside a multicall to `visit`; `head` is the position of the list's offset. */
export function visitMulticall(data: Digits, head: number, visit: (inner: Digits) => void): void {
  const place = follow(data, 4, head)
  const count = wordAt(data, place)
  // A count larger than the calldata ends at the last word.
  for (let index = 0; BigInt(index) < count; index++)
    visit(bytesAt(data, place + 32, place + 32 + 32 * index))
}

function planRouterCall(
  plan: Plan,
  planning: Planning,
  mandate: Mandate,
  target: Address,
  data: Digits,
): void {
  const selector = selectorOf(data)
  if (selector === selectors.exactInputSingle && lengthOf(data) === 228) {
    plan.methods |= methodBits.exactInputSingle
    planSingle(plan, planning, mandate, data, loadWord(data, 132))
  } else if (selector === selectors.exactOutputSingle && lengthOf(data) === 228) {
    plan.methods |= methodBits.exactOutputSingle
    // The swap counts for the maximum that it may take.
    planSingle(plan, planning, mandate, data, loadWord(data, 164))
  } else if (selector === selectors.exactInput) {
    plan.methods |= methodBits.exactInput
    const base = follow(data, 4, 4)
    const [first, last] = endsOfPath(mandate, bytesAt(data, base, base))
    planSwap(plan, planning, mandate, first, last, addressAt(data, base + 32), wordAt(data, base + 64))
  } else if (selector === selectors.exactOutput) {
    plan.methods |= methodBits.exactOutput
    const base = follow(data, 4, 4)
    // An exact-output path is encoded in reverse.
    const [last, first] = endsOfPath(mandate, bytesAt(data, base, base))
    planSwap(plan, planning, mandate, first, last, addressAt(data, base + 32), wordAt(data, base + 96))
  } else {
    refuse('MethodUnknown', target, selector)
  }
}

function planSingle(plan: Plan, planning: Planning, mandate: Mandate, data: Digits, amountIn: bigint): void {
  const tokenIn = cleanAddressAt(data, 4)
  const tokenOut = cleanAddressAt(data, 36)
  const recipient = cleanAddressAt(data, 100)
  if (!tokenIn || !tokenOut || !recipient) malformed(4, data)
  planSwap(plan, planning, mandate, tokenIn, tokenOut, recipient, amountIn)
}

/** One V3_SWAP_EXACT_IN command, paid by the account through Permit2, to the account. */
export function planUniversal(
  plan: Plan,
  planning: Planning,
  mandate: Mandate,
  target: Address,
  data: Digits,
): void {
  const selector = selectorOf(data)
  if (selector !== selectors.execute && selector !== selectors.executeDeadline)
    refuse('MethodUnknown', target, selector)
  plan.methods |= methodBits.execute
  const commands = bytesAt(data, 4, 4)
  const inputs = follow(data, 4, 36)
  if (commands !== '00' || wordAt(data, inputs) !== 1n) refuse('CommandNotSupported', `0x${commands}`)
  const input = bytesAt(data, inputs + 32, inputs + 32)
  if (wordAt(input, 128) !== 1n) refuse('CommandNotSupported', `0x${commands}`)
  const [first, last] = endsOfPath(mandate, bytesAt(input, 0, 96))
  planSwap(plan, planning, mandate, first, last, addressAt(input, 0), wordAt(input, 32))
}

/** Every token on the path must be tracked, so that no unknown token's code runs inside the swap. */
function endsOfPath(mandate: Mandate, path: Digits): readonly [first: Address, last: Address] {
  const length = lengthOf(path)
  if (length < hop + 20 || (length - 20) % hop !== 0) refuse('PathMalformed', BigInt(length))
  for (let offset = 0; offset < length; offset += hop) trackedAsset(mandate, packedAddressAt(path, offset))
  return [packedAddressAt(path, 0), packedAddressAt(path, length - 20)]
}

function planSwap(
  plan: Plan,
  { account, settlement, rules }: Planning,
  mandate: Mandate,
  tokenIn: Address,
  tokenOut: Address,
  recipient: Address,
  amountIn: bigint,
): void {
  // Must be exactly the account: the router reads address 1 as the caller and 2 as itself.
  if (recipient !== account) refuse('RecipientNotAccount', recipient)
  if (amountIn === 0n) refuse('ZeroInput')
  // If a token is listed twice, use the last entry.
  const from = mandate.assets.findLastIndex(({ token }) => token === tokenIn)
  const to = mandate.assets.findLastIndex(({ token }) => token === tokenOut)
  if (from === -1) refuse('AssetNotTracked', tokenIn)
  if (to === -1) refuse('AssetNotTracked', tokenOut)
  plan.pairs |= 1n << BigInt(8 * from + to)
  plan.classes |= to === settlement ? classBits.unwind : classBits.swap
  // Version 1 counted the inflow of every asset, not only of the output.
  plan.outputs |= rules === 1 ? allAssets : 1 << to
  leaves(plan, from, amountIn)
}
