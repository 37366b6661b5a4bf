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
import type { Call, Caveat, Context } from './benchWorld.ts'
import type { Work } from './work.ts'

// What 100 USDC bring at the price of the day of signing, less one per cent: stock enforcers know no other minimum.
const minimumOut = (parseEther('100') * 99n) / 100n / 3_000n

/**
 * The nearest stack of MetaMask's own enforcers. Those that look into a call refuse batches, so every call of the work
 * has a delegation of its own, and all are redeemed in one transaction.
 */
export function stockContexts(work: Work): Context[] {
  return work.calls.map((call, place) => ({
    caveats: [
      ...everyCall(work, call),
      ...(place < work.calls.length - 1 ? approval(work, call) : lastCall[work.scenario](work, call)),
    ],
    calls: [call],
  }))
}

/** When, by whom, how often, which contract, which method, no native value. */
function everyCall(work: Work, { target, callData }: Call): Caveat[] {
  const { start, end } = work.bounds
  return [
    stock(work, 'TimestampEnforcer', createTimestampTerms({ afterThreshold: start, beforeThreshold: end })),
    stock(work, 'RedeemerEnforcer', createRedeemerTerms({ redeemers: [work.golemKey] })),
    stock(work, 'LimitedCallsEnforcer', createLimitedCallsTerms({ limit: 1_000 })),
    stock(work, 'AllowedTargetsEnforcer', createAllowedTargetsTerms({ targets: [target] })),
    stock(work, 'AllowedMethodsEnforcer', createAllowedMethodsTerms({ selectors: [slice(callData, 0, 4)] })),
    stock(work, 'ValueLteEnforcer', createValueLteTerms({ maxValue: 0n })),
  ]
}

/** An approval is bounded by its spender and by its amount, to the unit. */
const approval = (work: Work, call: Call) => [calldata(work, call, 0, 1), calldata(work, call, 1, 2)]

const lastCall: Record<Work['scenario'], (work: Work, call: Call) => Caveat[]> = {
  transfer: (work, call) => [
    calldata(work, call, 0, 1),
    stock(
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
  // Token in, token out, fee and recipient stand side by side.
  swap: (work, call) => [calldata(work, call, 0, 4), spentAtMost(work), broughtAtLeast(work)],
  deposit: (work, call) => [calldata(work, call, 1, 2), spentAtMost(work)],
}

const spentAtMost = (work: Work) =>
  balanceChange(
    work,
    work.addresses.usdc,
    BalanceChangeType.Decrease,
    parseUnits(`${work.bounds.dollarsAtOnce}`, 6),
  )

const broughtAtLeast = (work: Work) =>
  balanceChange(work, work.addresses.weth, BalanceChangeType.Increase, minimumOut)

function balanceChange(work: Work, tokenAddress: Address, changeType: BalanceChangeType, balance: bigint) {
  const terms = { tokenAddress, recipient: work.account, balance, changeType }
  return stock(work, 'ERC20BalanceChangeEnforcer', createERC20BalanceChangeTerms(terms))
}

/** The arguments from one place up to another are exactly those of the call. */
function calldata(work: Work, { callData }: Call, from: number, to: number): Caveat {
  const startIndex = 4 + 32 * from
  const value = slice(callData, startIndex, 4 + 32 * to)
  return stock(work, 'AllowedCalldataEnforcer', createAllowedCalldataTerms({ startIndex, value }))
}

function stock({ stock }: Work, name: string, terms: Hex): Caveat {
  const enforcer = stock[name]
  if (!enforcer) throw new BardoError(`The framework has no ${name}.`, { code: 'INTERNAL' })
  return { enforcer, terms }
}
