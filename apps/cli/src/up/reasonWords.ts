import type { DeathTrigger, ObserveReason } from '@bardo/golem'

/** Why a Golem dies, as it is said after a colon. */
export const deathWords: Readonly<Record<DeathTrigger, string>> = {
  killSwitch: 'its owner ended it',
  ownerRevocation: 'its owner revoked what was signed for it',
  policyViolation: 'it was refused too often, or its constitution is not the signed one',
  naturalExpiry: 'the time it was signed for is over',
  callLimitReached: 'it has made all the calls it was signed for',
  economicExhaustion: 'too little is left to live on',
  heartbeatAnomaly: 'it missed too many ticks',
}

/** Why a Golem does not act. */
export const observeWords: Readonly<Record<ObserveReason, string>> = {
  blind: 'it cannot see how things stand',
  rpcOutage: 'the chain cannot be reached',
  signerOutage: 'the signer does not answer',
  managerPaused: 'MetaMask paused the DelegationManager',
  keyLost: 'its session key is gone',
  keyRefused: 'the chain refuses its session key',
  gasGone: 'its session key cannot pay for gas',
  regranting: 'its owner is signing for it anew',
}

/** Why a delegation is over. */
export const revokedWords: Readonly<Record<string, string>> = {
  replaced: 'its owner signed a new one instead',
  owner: 'its owner revoked it',
  suspected: 'its key may be stolen',
}

/** The words for a reason, or the reason itself where nobody has words for it. */
export function wordsFor(reasons: Readonly<Record<string, string>>, reason: unknown): string {
  const known = `${reason}`
  return Object.hasOwn(reasons, known) ? (reasons[known] ?? known) : known
}
