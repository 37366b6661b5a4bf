import type { Address, Hex } from 'viem'
import { demand, size, slice, word } from './bytes.ts'
import type { Single } from './metamaskKind.ts'

/** `transfer(address,uint256)`. */
const transferSelector = '0xa9059cbb'

/** Refuses calldata that does not have the length of a transfer. */
export function demandTransferLength(enforcer: string, call: Single): void {
  demand(
    size(call.callData) === 68,
    `${enforcer}:invalid-execution-length`,
    'Call transfer(address,uint256) and nothing else.',
  )
}

/** The amount of a plain transfer of this token; refuses every other call. */
export function transferred(enforcer: string, token: Address, call: Single): bigint {
  demand(
    token === call.target,
    `${enforcer}:invalid-contract`,
    `Transfer the token ${token} instead of calling ${call.target}.`,
  )
  demandTransfer(enforcer, call.callData)
  return word(call.callData, 36)
}

/** Refuses every method but `transfer`. */
export function demandTransfer(enforcer: string, callData: Hex): void {
  demand(
    slice(callData, 0, 4) === transferSelector,
    `${enforcer}:invalid-method`,
    `Call transfer(address,uint256) instead of ${slice(callData, 0, 4)}.`,
  )
}
