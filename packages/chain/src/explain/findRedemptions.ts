import { decodeRedeemCall, type Framework, type RedeemedContext } from '@bardo/core'
import { EntryPoint, HybridDeleGator } from '@metamask/delegation-abis'
import {
  type Address,
  decodeAbiParameters,
  decodeFunctionData,
  type Hex,
  isAddressEqual,
  parseAbiParameters,
  slice,
} from 'viem'
import { type CallFrame, framesTo } from './trace.ts'

/** A call to the manager. */
export type FoundRedemption = {
  readonly redeemer: Address
  readonly contexts: readonly RedeemedContext[]
  /** Its call frame; undefined if the node cannot trace. */
  readonly frame: CallFrame | undefined
}

/** A call and its sender. */
type SentCall = { readonly from: Address; readonly to: Address; readonly data: Hex }

/** Every redemption in a trace, at any depth: inside UserOperations, multicalls, or other redemptions. */
export function redemptionsIn(
  trace: CallFrame,
  { DelegationManager }: Framework,
): readonly FoundRedemption[] {
  return framesTo(trace, DelegationManager).flatMap((frame) => {
    const contexts = decodeRedeemCall(frame.input)
    return contexts && frame.from ? [{ redeemer: frame.from, contexts, frame }] : []
  })
}

/**
 * The redemptions in a transaction's own calldata: to the manager, or in UserOperations of smart accounts.
 */
export function redemptionsOf(call: SentCall, framework: Framework): readonly FoundRedemption[] {
  if (isAddressEqual(call.to, framework.DelegationManager)) {
    const contexts = decodeRedeemCall(call.data)
    return contexts ? [{ redeemer: call.from, contexts, frame: undefined }] : []
  }
  if (!isAddressEqual(call.to, framework.EntryPoint)) return []
  return operationsIn(call.data)
    .flatMap(({ sender, callData }) => callsOf(sender, callData))
    .filter(({ to }) => isAddressEqual(to, framework.DelegationManager))
    .flatMap((inner) => redemptionsOf(inner, framework))
}

function operationsIn(data: Hex) {
  try {
    const { functionName, args } = decodeFunctionData({ abi: EntryPoint, data })
    return functionName === 'handleOps' ? args[0] : []
  } catch {
    return []
  }
}

const batch = parseAbiParameters('(address target, uint256 value, bytes callData)[]')

/** The calls that a MetaMask smart account executes: one, or several in batch mode. */
function callsOf(from: Address, data: Hex): readonly SentCall[] {
  try {
    const { functionName, args } = decodeFunctionData({ abi: HybridDeleGator, data })
    if (functionName !== 'execute') return []
    if (args.length === 1) return [{ from, to: args[0].target, data: args[0].callData }]
    const [mode, calldata] = args
    if (mode.startsWith('0x01')) {
      const [calls] = decodeAbiParameters(batch, calldata)
      return calls.map(({ target, callData }) => ({ from, to: target, data: callData }))
    }
    const isBare = (calldata.length - 2) / 2 === 52
    return [{ from, to: slice(calldata, 0, 20), data: isBare ? '0x' : slice(calldata, 52) }]
  } catch {
    return []
  }
}
