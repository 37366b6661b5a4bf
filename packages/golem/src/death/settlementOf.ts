import {
  type CustodyMode,
  type DeathSettlement,
  type DeathTrigger,
  type Estate,
  type ExpiryCause,
  type MetabolicState,
  settleDeath,
} from '@bardo/core'
import type { Hash } from 'viem'
import type { Death } from '../state/death.ts'

/** The grimoire key of the settlement report for the owner. */
export const settlementKey = 'settlement'

/** Facts for the settlement that the death does not contain. */
export type Remains = {
  readonly custody: CustodyMode
  readonly delegationHash: Hash
  /** For an embedded wallet. */
  readonly wallet?: NonNullable<Estate['wallet']>
  readonly metabolism: Pick<MetabolicState, 'sustainabilityRatio'>
  readonly lifetimeRevenueCents: bigint
  readonly lifetimeInferenceCents: bigint
}

/**
 * Why the delegation ended. If the Golem or the runtime ended it, it ends by the revocation that the owner is
 * asked for.
 */
const causes: Readonly<Record<DeathTrigger, ExpiryCause>> = {
  killSwitch: 'ownerRevocation',
  ownerRevocation: 'ownerRevocation',
  policyViolation: 'ownerRevocation',
  heartbeatAnomaly: 'ownerRevocation',
  economicExhaustion: 'ownerRevocation',
  naturalExpiry: 'naturalExpiry',
  callLimitReached: 'callLimitReached',
}

/** The settlement: with a delegation there is nothing to sweep; an embedded wallet is swept. */
export function settlementOf({ trigger, unwound }: Death, remains: Remains): DeathSettlement {
  const { custody, delegationHash, wallet, metabolism } = remains
  const { lifetimeRevenueCents, lifetimeInferenceCents } = remains
  const exhaustion = {
    finalSustainabilityRatio: metabolism.sustainabilityRatio,
    lifetimeRevenueCents,
    lifetimeInferenceCents,
  }
  return settleDeath(custody, {
    settled: unwound.settled,
    deferred: unwound.deferred,
    delegation: { hash: delegationHash, cause: causes[trigger] },
    ...(wallet && { wallet }),
    ...(trigger === 'economicExhaustion' && { exhaustion }),
  })
}
