import type { Call } from '@bardo/core'
import { BardoError } from '@bardo/core'
import {
  BalanceChangeType,
  createAllowedCalldataTerms,
  createAllowedMethodsTerms,
  createAllowedTargetsTerms,
  createERC20BalanceChangeTerms,
  createERC20TokenPeriodTransferTerms,
  createLimitedCallsTerms,
  createRedeemerTerms,
  createTimestampTerms,
  createValueLteTerms,
} from '@metamask/delegation-core'
import { type Address, type Hex, parseEther, parseUnits, slice } from 'viem'
import type { Caveat, Context } from './benchWorld.ts'
import type { Work } from './work.ts'

// The output for 100 USDC at the price on the day of signing, less one per cent: MetaMask's enforcers support
// no other minimum.
const minimumOut = (parseEther('100') * 99n) / 100n / 3_000n

/**
 * The closest stack of MetaMask's own enforcers. Those that inspect a call refuse batches, so every call has
 * its own delegation, and all are redeemed in one transaction.
 */
export function metamaskContexts(work: Work): Context[] {
  return work.calls.map((call, place) => ({
    caveats: [
      ...everyCall(work, call),
      ...(place < work.calls.length - 1 ? approval(work, call) : lastCall[work.scenario](work, call)),
    ],
    calls: [call],
  }))
}

/** Time window, redeemer, number of calls, contract, method, no native value. */
function everyCall(work: Work, { to: target, data = '0x' }: Call): Caveat[] {
  const { start, end } = work.bounds
  return [
    metamask(
      work,
      'TimestampEnforcer',
      createTimestampTerms({ afterThreshold: start, beforeThreshold: end }),
    ),
    metamask(work, 'RedeemerEnforcer', createRedeemerTerms({ redeemers: [work.golemKey] })),
    metamask(work, 'LimitedCallsEnforcer', createLimitedCallsTerms({ limit: 1_000 })),
    metamask(work, 'AllowedTargetsEnforcer', createAllowedTargetsTerms({ targets: [target] })),
    metamask(work, 'AllowedMethodsEnforcer', createAllowedMethodsTerms({ selectors: [slice(data, 0, 4)] })),
    metamask(work, 'ValueLteEnforcer', createValueLteTerms({ maxValue: 0n })),
  ]
}

/** An approval is limited to its exact spender and amount. */
const approval = (work: Work, call: Call) => [calldata(work, call, 0, 1), calldata(work, call, 1, 2)]

const lastCall: Record<Work['scenario'], (work: Work, call: Call) => Caveat[]> = {
  transfer: (work, call) => [
    calldata(work, call, 0, 1),
    metamask(
      work,
      'ERC20PeriodTransferEnforcer',
      createERC20TokenPeriodTransferTerms({
        tokenAddress: work.addresses.usdc,
        periodAmount: parseUnits(`${work.bounds.dayCents}`, 4),
        periodDuration: 86_400,
        startDate: work.bounds.start,
      }),
    ),
  ],
  // Token in, token out, fee and recipient are adjacent.
  swap: (work, call) => [calldata(work, call, 0, 4), maxSpent(work), minReceived(work)],
  deposit: (work, call) => [calldata(work, call, 1, 2), maxSpent(work)],
}

const maxSpent = (work: Work) =>
  balanceChange(
    work,
    work.addresses.usdc,
    BalanceChangeType.Decrease,
    parseUnits(`${work.bounds.dollarsAtOnce}`, 6),
  )

const minReceived = (work: Work) =>
  balanceChange(work, work.addresses.weth, BalanceChangeType.Increase, minimumOut)

function balanceChange(work: Work, tokenAddress: Address, changeType: BalanceChangeType, balance: bigint) {
  const terms = { tokenAddress, recipient: work.account, balance, changeType }
  return metamask(work, 'ERC20BalanceChangeEnforcer', createERC20BalanceChangeTerms(terms))
}

/** The arguments in this range are exactly those of the call. */
function calldata(work: Work, { data = '0x' }: Call, from: number, to: number): Caveat {
  const startIndex = 4 + 32 * from
  const value = slice(data, startIndex, 4 + 32 * to)
  return metamask(work, 'AllowedCalldataEnforcer', createAllowedCalldataTerms({ startIndex, value }))
}

function metamask({ metamask }: Work, name: string, terms: Hex): Caveat {
  const enforcer = metamask[name]
  if (!enforcer) throw new BardoError(`The framework has no ${name}.`, { code: 'INTERNAL' })
  return { enforcer, terms }
}
