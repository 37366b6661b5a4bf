import type { DeathTrigger } from '@bardo/core'

/** Why a Golem dies, as the second part of a sentence. */
export const deathWords: Readonly<Record<DeathTrigger, string>> = {
  killSwitch: 'its owner ended it',
  ownerRevocation: 'its owner revoked its delegation',
  policyViolation: 'the chain refused it too often, or its constitution differs from the signed one',
  naturalExpiry: 'its signed window is over',
  callLimitReached: 'it has made all signed calls',
  economicExhaustion: 'its remaining funds are too low',
  heartbeatAnomaly: 'no worker ticked it for the whole signed grace period',
}
