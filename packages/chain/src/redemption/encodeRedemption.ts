import { BardoError, type Delegation, encodeContext } from '@bardo/core'
import { encodeFunctionData, type Hex } from 'viem'
import { managerAbi } from '../accounts/abi.ts'
import { type Call, encodeExecution } from './encodeExecution.ts'

/** What is done with one chain of delegations, leaf first. */
export type RedemptionStep = { readonly links: readonly Delegation[]; readonly calls: readonly Call[] }

/** Calldata for the manager. The steps happen in order, all of them or none. */
export function encodeRedemption(steps: readonly RedemptionStep[]): Hex {
  if (steps.length === 0)
    throw new BardoError('A redemption has at least one step.', { code: 'INVALID_INPUT' })
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
