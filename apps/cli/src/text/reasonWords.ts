import type { RevocationCause, RotationReason } from '@bardo/core'
import type { ObserveReason } from '@bardo/golem'

/** Why a Golem does not act. */
export const observeWords: Readonly<Record<ObserveReason, string>> = {
  blind: 'it cannot read its state from the chain',
  rpcOutage: 'the node does not answer',
  signerOutage: 'the signer does not answer',
  managerPaused: 'MetaMask paused the DelegationManager',
  keyLost: 'its session key is lost',
  keyRefused: 'the chain refuses its session key',
  gasGone: 'its session key has too little ETH for gas',
  regranting: 'its owner is replacing its delegation',
  revocationSeen: 'its delegation is revoked in a block that is not final yet',
  missedTicks: 'no worker ticked it for some time',
  strategyChanged: 'its stored strategy is not the one that its owner signed',
}

/** Why a delegation was revoked. */
export const revokedWords: Readonly<Record<string, string>> = {
  replaced: 'its owner replaced it with a new one',
  owner: 'its owner revoked it',
  runway: 'its owner ended its runway',
  suspected: 'its key may be stolen',
}

/** Why a session key was replaced. */
export const rotationWords: Readonly<Record<RotationReason, string>> = {
  operations: 'the old key reached its maximum number of operations',
  age: 'the old key reached its maximum age',
  'budget-floor': 'the old key had used most of its limit',
  suspected: 'the old key may be stolen',
  lost: 'the old key was lost',
}

/** How a session key lost its authority. */
export const keyEndWords: Readonly<Record<RevocationCause['kind'], string>> = {
  revoked: 'it was revoked',
  expired: 'it expired',
  exhausted: 'its calls are used up',
}

/** The words for a reason, or the reason itself if there are none. */
export function wordsFor(reasons: Readonly<Record<string, string>>, reason: unknown): string {
  const key = `${reason}`
  return Object.hasOwn(reasons, key) ? (reasons[key] ?? key) : key
}
