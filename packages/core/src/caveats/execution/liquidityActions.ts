import type { Address } from 'viem'
import { kindOf, type Mandate, targetKinds, trackedAsset } from '../terms/mandate.ts'
import { questions } from '../verdict/questions.ts'
import { refuse, refuseAs } from '../verdict/refuse.ts'
import { answerTo, askAddress, askWords, callAddress } from '../verdict/staticRead.ts'
import { loadAddress, selectorOf } from './abiReader.ts'
import { classBits } from './actionClass.ts'
import { addressInWord, addressWord, type Digits, digitsOf, lengthOf, loadWord, wordOf } from './digits.ts'
import { methodBits, selectors } from './methods.ts'
import { leaves, type Plan, type Planning } from './plan.ts'
import { visitMulticall } from './swapActions.ts'

/** Liquidity through Uniswap V3's NonfungiblePositionManager, also inside one level of `multicall`. */
export function planLiquidity(
  plan: Plan,
  planning: Planning,
  mandate: Mandate,
  target: Address,
  data: Digits,
): void {
  if (selectorOf(data) !== selectors.multicall) {
    planManagerCall(plan, planning, mandate, target, data)
    return
  }
  visitMulticall(data, 4, (inner) => {
    if (selectorOf(inner) === selectors.multicall) refuse('NestedTooDeep', target)
    planManagerCall(plan, planning, mandate, target, inner)
  })
}

function planManagerCall(
  plan: Plan,
  planning: Planning,
  mandate: Mandate,
  target: Address,
  data: Digits,
): void {
  const selector = selectorOf(data)
  const length = lengthOf(data)
  if (selector === selectors.mintPosition && length === 356) {
    plan.methods |= methodBits.mintPosition
    requireAccount(planning, loadAddress(data, 292))
    const [token0, token1] = [loadAddress(data, 4), loadAddress(data, 36)]
    intoPool(plan, planning, mandate, target, token0, token1, loadWord(data, 68))
    leaves(plan, trackedAsset(mandate, token0), loadWord(data, 164))
    leaves(plan, trackedAsset(mandate, token1), loadWord(data, 196))
  } else if (selector === selectors.increaseLiquidity && length === 196) {
    plan.methods |= methodBits.increaseLiquidity
    const [token0, token1] = intoOwnPosition(plan, planning, mandate, target, loadWord(data, 4))
    leaves(plan, trackedAsset(mandate, token0), loadWord(data, 36))
    leaves(plan, trackedAsset(mandate, token1), loadWord(data, 68))
  } else if (selector === selectors.decreaseLiquidity && length === 164) {
    plan.methods |= methodBits.decreaseLiquidity
    plan.classes |= classBits.removeLiquidity
  } else if (selector === selectors.collect && length === 132) {
    plan.methods |= methodBits.collect
    plan.classes |= classBits.removeLiquidity
    // The position manager reads address 0 as itself, where anyone may sweep the tokens.
    requireAccount(planning, loadAddress(data, 36))
  } else if (selector === selectors.burnPosition && length === 36) {
    plan.methods |= methodBits.burnPosition
    plan.classes |= classBits.removeLiquidity
  } else {
    refuse('MethodUnknown', target, selector)
  }
}

function requireAccount({ account }: Planning, recipient: Address): void {
  if (recipient !== account) refuse('RecipientNotAccount', recipient)
}

function intoOwnPosition(
  plan: Plan,
  planning: Planning,
  mandate: Mandate,
  target: Address,
  tokenId: bigint,
): readonly [token0: Address, token1: Address] {
  const owner = ownerOf(planning, target, tokenId)
  if (owner !== planning.account) refuse('PositionNotOwned', tokenId, owner)
  const read = questions.positions(target, wordOf(tokenId))
  // After nonce and operator: both tokens and the fee.
  const words = askWords(planning.chain, read, 5)
  if (!words) return refuse('NoAnswer', target, read.data.slice(0, 10))
  const [, , first = 0n, second = 0n, fee = 0n] = words
  const [token0, token1] = [addressInWord(first), addressInWord(second)]
  intoPool(plan, planning, mandate, target, token0, token1, fee)
  return [token0, token1]
}

/** A position that does not exist has no owner; an answer that is not an address reverts without data. */
function ownerOf({ chain }: Planning, target: Address, tokenId: bigint): Address {
  const { ok, data } = answerTo(chain, questions.ownerOf(target, wordOf(tokenId)))
  if (!ok) return addressInWord(0n)
  const digits = digitsOf(data)
  if (lengthOf(digits) < 32 || loadWord(digits, 0) >> 160n !== 0n) refuseAs('0x')
  return addressInWord(loadWord(digits, 0))
}

function intoPool(
  plan: Plan,
  { chain }: Planning,
  mandate: Mandate,
  target: Address,
  token0: Address,
  token1: Address,
  fee: bigint,
): void {
  plan.classes |= classBits.addLiquidity
  const factory = askAddress(chain, questions.factory(target))
  const words = [addressWord(token0), addressWord(token1), wordOf(BigInt.asUintN(24, fee))]
  const pool = callAddress(chain, questions.getPool(factory, ...words))
  if (kindOf(mandate, pool) !== targetKinds.pool || (plan.pool !== undefined && plan.pool !== pool))
    refuse('PoolNotAllowed', pool)
  plan.pool = pool
}
