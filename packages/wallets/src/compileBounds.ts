import {
  type Asset,
  BardoError,
  type Caveat,
  type Deployment,
  dailySpendLimit,
  maxSlippage,
  metamaskKinds,
  mortalityTimeWindow,
  type Target,
} from '@bardo/core'
import { type Address, type Hex, isAddressEqual } from 'viem'

/** The four limits of a local key. */
export type DelegationBounds = {
  readonly maxDailySpendCents: bigint
  readonly maxTotalCalls: number
  /** Unix seconds, inclusive. */
  readonly expiresAt: bigint
  readonly allowedTargets: readonly Address[]
}

/** The Golem and the account to limit, and the facts about the chain. */
export type BoundsSubject = {
  /** The lineage: its budget survives re-signing. */
  readonly golem: Hex
  /** The account that holds the money: the root's delegator. */
  readonly account: Address
  /** Unix seconds. */
  readonly now: bigint
  /** Every token that may move, and how it is priced. */
  readonly assets: readonly Asset[]
  /** The kind of each contract. An allowed target must be in this list. */
  readonly known: readonly Target[]
  /** Maximum cost of a swap in basis points, measured by the price feeds. */
  readonly slippageBps: number
  /** Maximum deviation of a pool from the price feeds in basis points when liquidity is added. */
  readonly spreadBps: number
}

/**
 * A local key's limits as caveats of the root delegation. The targets are part of the spending limit's
 * mandate, not an AllowedTargets caveat: that one refuses every batch, and with it an approval that the same
 * batch uses up. MaxSlippage is always included: with only a spending limit, a sandwich attack could take a
 * whole swap.
 */
export function compileBounds(
  { maxDailySpendCents, maxTotalCalls, expiresAt, allowedTargets }: DelegationBounds,
  { golem, account, now, assets, known, slippageBps, spreadBps }: BoundsSubject,
  { contracts, framework }: Pick<Deployment, 'contracts' | 'framework'>,
): readonly Caveat[] {
  if (expiresAt <= now)
    throw new BardoError('These limits have already expired.', {
      code: 'INVALID_INPUT',
      details: [`expiry: ${expiresAt}`, `block time: ${now}`],
    })
  const targets = allowedTargets.map((address) => targetAt(address, known))
  const mandate = { account, assets, targets, payees: [] }
  const limitedCalls = framework.caveatEnforcers['LimitedCallsEnforcer']
  if (!limitedCalls) throw unknownAddress('LimitedCallsEnforcer')
  return [
    caveat(
      contracts.dailySpendLimitEnforcer,
      dailySpendLimit.encode({ lineage: golem, limitCents: maxDailySpendCents, mandate }),
    ),
    caveat(
      contracts.mortalityTimeWindowEnforcer,
      mortalityTimeWindow.encode({ start: Number(now), end: Number(expiresAt) }),
    ),
    caveat(contracts.maxSlippageEnforcer, maxSlippage.encode({ slippageBps, spreadBps, mandate })),
    caveat(limitedCalls, metamaskKinds.LimitedCalls.encode({ limit: maxTotalCalls })),
  ]
}

function targetAt(address: Address, known: readonly Target[]): Target {
  const target = known.find((candidate) => isAddressEqual(candidate.address, address))
  if (!target) throw unknownAddress(address)
  return target
}

function unknownAddress(what: string): BardoError {
  return new BardoError('Bardo does not support this contract as an allowed target.', {
    code: 'ADDRESS_UNKNOWN',
    details: [what],
    remedy:
      'Allow only contracts that Bardo can decode: routers, position managers, pools and vaults of the address book.',
    docsPath: 'caveats.md#the-mandate',
  })
}

function caveat(enforcer: Address, terms: Hex): Caveat {
  return { enforcer, terms, args: '0x' }
}
