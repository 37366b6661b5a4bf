import { concat, encodeFunctionData, type Hex, numberToHex, zeroHash } from 'viem'
import { encodeContext } from '../delegation/context.ts'
import type { Delegation } from '../delegation/delegation.ts'
import { BardoError } from '../errors/BardoError.ts'
import { type Call, encodeExecution } from './encodeExecution.ts'
import { managerAbi } from './managerAbi.ts'

/** Calls under one permission context, leaf first. */
export type RedemptionStep = { readonly links: readonly Delegation[]; readonly calls: readonly Call[] }

/**
 * Calldata for the manager. The steps run in order, all or none.
 *
 * @example
 * const data = encodeRedemption([{ links: [root], calls: [approve, swap] }])
 * await wallet.sendTransaction({ to: deployment.framework.DelegationManager, data })
 */
export function encodeRedemption(steps: readonly RedemptionStep[]): Hex {
  if (steps.length === 0)
    throw new BardoError('A redemption needs at least one step.', { code: 'INVALID_INPUT' })
  const executions = steps.map(({ calls }) => encodeExecution(calls))
  return encodeFunctionData({
    abi: managerAbi,
    functionName: 'redeemDelegations',
    args: [
      steps.map(({ links }) => encodeContext(links)),
      executions.map(({ mode }) => mode),
      executions.map(({ calldata }) => calldata),
    ],
  })
}

/** A permission context without a link: an empty array, encoded. */
const noLinks: Hex = concat([numberToHex(32, { size: 32 }), zeroHash])

/**
 * Calldata for the manager by which an account makes its own calls as one batch: with an empty permission context the
 * manager calls the sender back, without any delegation.
 *
 * @example
 * const data = encodeOwnCalls([{ to: owner, value: balance }, { to: account, data: withdrawDeposit }])
 */
export function encodeOwnCalls(calls: readonly Call[]): Hex {
  const { mode, calldata } = encodeExecution(calls)
  return encodeFunctionData({
    abi: managerAbi,
    functionName: 'redeemDelegations',
    args: [[noLinks], [mode], [calldata]],
  })
}
