import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import type { Delegation } from '../delegation/delegation.ts'
import { managerAbi } from './managerAbi.ts'
import { decodeRedeemCall, type RedeemedContext } from './redeemCall.ts'

/** A call to the DelegationManager that changes something. */
export type ManagerCall =
  | { readonly type: 'redeem'; readonly contexts: readonly RedeemedContext[] }
  | { readonly type: 'disable'; readonly delegation: Delegation }
  | { readonly type: 'enable'; readonly delegation: Delegation }

/**
 * The call that disables a delegation. Only its delegator can make it.
 *
 * @example
 * const call = { to: deployment.framework.DelegationManager, data: encodeDisable(root) }
 */
export function encodeDisable(delegation: Delegation): Hex {
  return encodeFunctionData({ abi: managerAbi, functionName: 'disableDelegation', args: [delegation] })
}

/**
 * The call that enables a disabled delegation again. Only its delegator can make it.
 *
 * @example
 * const call = { to: deployment.framework.DelegationManager, data: encodeEnable(root) }
 */
export function encodeEnable(delegation: Delegation): Hex {
  return encodeFunctionData({ abi: managerAbi, functionName: 'enableDelegation', args: [delegation] })
}

/**
 * What a call to the DelegationManager does; undefined if it is another call or does not decode.
 *
 * @example
 * decodeManagerCall('0xa9059cbb') // undefined
 */
export function decodeManagerCall(data: Hex): ManagerCall | undefined {
  const contexts = decodeRedeemCall(data)
  if (contexts) return { type: 'redeem', contexts }
  try {
    const { functionName, args } = decodeFunctionData({ abi: managerAbi, data })
    if (functionName === 'disableDelegation') return { type: 'disable', delegation: args[0] }
    if (functionName === 'enableDelegation') return { type: 'enable', delegation: args[0] }
    return undefined
  } catch {
    return undefined
  }
}
