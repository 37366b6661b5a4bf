import type { Address } from 'viem'
import type { Execution } from '../caveatKind.ts'
import {
  assetOf,
  kindOf,
  type Mandate,
  type Target,
  targetKinds,
  targetOf,
  trackedAsset,
} from '../terms/mandate.ts'
import { refuse } from '../verdict/refuse.ts'
import { loadAddress, selectorOf } from './abiReader.ts'
import { approvalClasses, classBits } from './actionClass.ts'
import { type DecodedCall, visitCalls } from './calls.ts'
import { type Digits, lengthOf, loadWord } from './digits.ts'
import { planLiquidity } from './liquidityActions.ts'
import { methodBits, selectors } from './methods.ts'
import { emptyPlan, mustBeGone, type Plan, type Planning, pays } from './plan.ts'
import { planRouter, planUniversal } from './swapActions.ts'
import { planVault } from './vaultActions.ts'

export const permit2Address: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const native: Address = `0x${'0'.repeat(40)}`
const spenderKinds: readonly number[] = [
  targetKinds.swapRouter02,
  targetKinds.permit2,
  targetKinds.positionManager,
  targetKinds.vault,
]

/**
 * Turns an execution into a plan, or refuses it, with the checks of Actions.sol in the same order.
 *
 * @param plan - filled in place, so that a caller that collects reads keeps what was parsed before a read was
 * missing
 */
export function planOf(
  execution: Execution,
  mandate: Mandate,
  planning: Planning,
  plan: Plan = emptyPlan(planning.rules),
): Plan {
  visitCalls(execution, (call) => planCall(plan, planning, mandate, call))
  if (plan.classes === 0) refuse('NothingToDo')
  requireOneClass(plan.classes & ~approvalClasses)
  return plan
}

function requireOneClass(moving: number): void {
  // A sale pays its royalty in the same execution; no other class may be combined with another.
  if ((moving & (moving - 1)) !== 0 && moving !== (classBits.sale | classBits.payment))
    refuse('MoreThanOneClass', BigInt(moving))
}

function planCall(
  plan: Plan,
  planning: Planning,
  mandate: Mandate,
  { target, value, data }: DecodedCall,
): void {
  const asset = assetOf(mandate, target)
  if (asset !== -1) {
    // Address zero marks the native currency, not a contract.
    if (target === native) refuse('TargetNotAllowed', target)
    if (value !== 0n) refuse('ValueNotAllowed', target, value)
    planToken(plan, planning, mandate, asset, target, data)
    return
  }
  if (planning.isForbidden(target)) refuse('TargetNotAllowed', target)
  const entry = targetOf(mandate, target)
  if (value !== 0n) {
    if (entry || data.length !== 0) refuse('ValueNotAllowed', target, value)
    planNativePayment(plan, planning, mandate, target, value)
    return
  }
  planTarget(plan, planning, mandate, entry, target, data)
}

function planTarget(
  plan: Plan,
  planning: Planning,
  mandate: Mandate,
  entry: Target | undefined,
  target: Address,
  data: Digits,
): void {
  switch (entry?.kind ?? 0) {
    case 0:
    case targetKinds.pool:
      refuse('TargetNotAllowed', target)
      break
    case targetKinds.swapRouter02:
      planRouter(plan, planning, mandate, target, data)
      break
    case targetKinds.universalRouter:
      planUniversal(plan, planning, mandate, target, data)
      break
    case targetKinds.permit2:
      planPermit2(plan, mandate, target, data)
      break
    case targetKinds.positionManager:
      planLiquidity(plan, planning, mandate, target, data)
      break
    case targetKinds.vault:
      planVault(plan, planning, mandate, target, data)
      break
    default:
      planSignedMethod(plan, entry, target, data)
      break
  }
}

/** Contracts without a decoder: one signed method each, without value. */
function planSignedMethod(plan: Plan, entry: Target | undefined, target: Address, data: Digits): void {
  const selector = selectorOf(data)
  if (lengthOf(data) < 4 || selector !== entry?.selector) refuse('MethodUnknown', target, selector)
  plan.methods |= methodBits.signed
  if (entry.kind === targetKinds.spawn) plan.classes |= classBits.spawn
  else if (entry.kind === targetKinds.publish) plan.classes |= classBits.publish
  else if (entry.kind === targetKinds.sale) plan.classes |= classBits.sale
  else refuse('TargetKindUnknown', BigInt(entry.kind))
}

function planNativePayment(
  plan: Plan,
  planning: Planning,
  mandate: Mandate,
  payee: Address,
  value: bigint,
): void {
  const isPayee = mandate.payees.includes(payee)
  if (!isPayee && payee !== planning.gasTo) refuse('PayeeNotAllowed', payee)
  plan.classes |= isPayee ? classBits.payment : classBits.gas
  plan.methods |= methodBits.native
  pays(plan, planning, trackedAsset(mandate, native), payee, value)
}

function planToken(
  plan: Plan,
  planning: Planning,
  mandate: Mandate,
  asset: number,
  token: Address,
  data: Digits,
): void {
  const selector = selectorOf(data)
  if (lengthOf(data) !== 68 || (selector !== selectors.transfer && selector !== selectors.approve))
    refuse('MethodUnknown', token, selector)
  const other = loadAddress(data, 4)
  const amount = loadWord(data, 36)
  if (selector === selectors.transfer) {
    // A payment to the account itself would book an outflow that another call could net away.
    if (other === planning.account || !mandate.payees.includes(other)) refuse('PayeeNotAllowed', other)
    plan.classes |= classBits.payment
    plan.methods |= methodBits.transfer
    pays(plan, planning, asset, other, amount)
    return
  }
  plan.methods |= methodBits.approve
  if (amount === 0n) {
    plan.classes |= classBits.disapprove
    return
  }
  if (!spenderKinds.includes(kindOf(mandate, other))) refuse('SpenderNotAllowed', other)
  plan.classes |= classBits.approve
  mustBeGone(plan, { spender: other, asset, inPermit2: false })
}

/**
 * Permit2 has its own allowances: allow one for a router that is gone within the execution, and nothing else.
 */
function planPermit2(plan: Plan, mandate: Mandate, permit2: Address, data: Digits): void {
  const selector = selectorOf(data)
  if (permit2 !== permit2Address || selector !== selectors.permit2Approve || lengthOf(data) !== 132)
    refuse('MethodUnknown', permit2, selector)
  const asset = trackedAsset(mandate, loadAddress(data, 4))
  const spender = loadAddress(data, 36)
  if (kindOf(mandate, spender) !== targetKinds.universalRouter) refuse('SpenderNotAllowed', spender)
  plan.methods |= methodBits.permit2Approve
  plan.classes |= loadWord(data, 68) === 0n ? classBits.disapprove : classBits.approve
  mustBeGone(plan, { spender, asset, inPermit2: true })
}
