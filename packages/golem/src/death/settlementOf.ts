import {
  type CustodyMode,
  type DeathSettlement,
  type Estate,
  type ExpiryCause,
  type MetabolicState,
  settleDeath,
} from '@bardo/core'
import type { Hash } from 'viem'
import type { Death } from './death.ts'
import type { DeathTrigger } from './deathTrigger.ts'

/** What a death does not know of itself. */
export type Remains = {
  readonly custody: CustodyMode
  readonly delegationHash: Hash
  /** Of an embedded Golem. */
  readonly wallet?: NonNullable<Estate['wallet']>
  readonly metabolism: Pick<MetabolicState, 'sustainabilityRatio'>
  readonly lifetimeRevenueCents: bigint
  readonly lifetimeInferenceCents: bigint
}

/** Why the delegation ended. What the Golem or the runtime ended, ends by the revocation that the owner is asked for. */
const causes: Readonly<Record<DeathTrigger, ExpiryCause>> = {
  killSwitch: 'ownerRevocation',
  ownerRevocation: 'ownerRevocation',
  policyViolation: 'ownerRevocation',
  heartbeatAnomaly: 'ownerRevocation',
  economicExhaustion: 'ownerRevocation',
  naturalExpiry: 'naturalExpiry',
  callLimitReached: 'callLimitReached',
}

/** How the money stands at the end: nothing to sweep under a delegation, a wallet to sweep where one held it. */
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
