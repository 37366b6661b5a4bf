import type { Deployment } from '@bardo/chain'
import {
  type Asset,
  BardoError,
  type Caveat,
  dailySpendLimit,
  mortalityTimeWindow,
  stockKinds,
  type Target,
} from '@bardo/core'
import { type Address, type Hex, isAddressEqual } from 'viem'

/** The four bounds of a local key. Origin: spec 000 §1. */
export type DelegationBounds = {
  readonly maxDailySpendCents: bigint
  readonly maxTotalCalls: number
  /** Unix seconds, inclusive. */
  readonly expiresAt: bigint
  readonly allowedTargets: readonly Address[]
}

/** Who is bounded, and what is known of the chain. */
export type BoundsSubject = {
  /** Its budget survives re-signing under this name. */
  readonly golem: Hex
  /** Whose money it is: the root's delegator. */
  readonly account: Address
  /** Unix seconds. */
  readonly now: bigint
  /** Every token that may move, and how it is priced. */
  readonly assets: readonly Asset[]
  /** What each contract is; an allowed target has to be among them. */
  readonly known: readonly Target[]
}

/**
 * A local key's bounds as caveats of the root delegation. The targets are part of the spending limit's mandate and no
 * AllowedTargets caveat: that one refuses every batch, and with it an approval that is gone at the end.
 */
export function compileBounds(
  { maxDailySpendCents, maxTotalCalls, expiresAt, allowedTargets }: DelegationBounds,
  { golem, account, now, assets, known }: BoundsSubject,
  { contracts, framework }: Pick<Deployment, 'contracts' | 'framework'>,
): readonly Caveat[] {
  if (expiresAt <= now)
    throw new BardoError('These bounds have ended already.', {
      code: 'INVALID_INPUT',
      details: [`they end at ${expiresAt}`, `it is ${now}`],
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
    caveat(limitedCalls, stockKinds.LimitedCalls.encode({ limit: maxTotalCalls })),
  ]
}

function targetAt(address: Address, known: readonly Target[]): Target {
  const target = known.find((candidate) => isAddressEqual(candidate.address, address))
  if (!target) throw unknownAddress(address)
  return target
}

function unknownAddress(what: string): BardoError {
  return new BardoError('Nobody here knows what stands at an allowed target.', {
    code: 'ADDRESS_UNKNOWN',
    details: [what],
    remedy:
      'Allow contracts that Bardo can read: routers, position managers, pools and vaults of the address book.',
    docsPath: 'caveats.md#the-mandate',
  })
}

function caveat(enforcer: Address, terms: Hex): Caveat {
  return { enforcer, terms, args: '0x' }
}
