import type { DeathTrigger } from './decideDeath.ts'

/** The reasons for which a Golem's permissions are revoked, as `PERMISSION_REVOKED` records them. */
export const revocationReasons = [
  'terminal',
  'policy_violation',
  'owner_kill_switch',
  'heartbeat_anomaly',
] as const

/** One of the four reasons. */
export type RevocationReason = (typeof revocationReasons)[number]

const reasonByTrigger = {
  killSwitch: 'owner_kill_switch',
  ownerRevocation: 'owner_kill_switch',
  policyViolation: 'policy_violation',
  naturalExpiry: 'terminal',
  callLimitReached: 'terminal',
  economicExhaustion: 'terminal',
  heartbeatAnomaly: 'heartbeat_anomaly',
} as const satisfies Readonly<Record<DeathTrigger, RevocationReason>>

/**
 * The reason that a cause of death is recorded under.
 *
 * @example
 * revocationReason('naturalExpiry') // 'terminal'
 */
export function revocationReason(trigger: DeathTrigger): RevocationReason {
  return reasonByTrigger[trigger]
}
