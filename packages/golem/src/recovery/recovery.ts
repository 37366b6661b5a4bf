import { BardoError } from '@bardo/core'

/** Why a Golem only looks on. */
export type ObserveReason =
  | 'blind'
  | 'rpcOutage'
  | 'signerOutage'
  | 'managerPaused'
  | 'keyLost'
  | 'keyRefused'
  | 'gasGone'
  | 'regranting'

/** Looking on until something is back. */
export type Observing = {
  readonly is: 'observing'
  readonly reason: ObserveReason
  /** Unix seconds. */
  readonly since: number
  /** How often it was tried in vain. */
  readonly attempts: number
  readonly retryAt: number
}

/** Whether a Golem acts. Plain data: it is stored with the Golem. */
export type Recovery = { readonly is: 'acting' } | Observing

/** First wait, in seconds; each one doubles. Origin: ours. */
const firstWait = 5
/** Longest wait, in seconds. Origin: ours; half an hour after the end of an outage is soon enough, and a pause may last for days. */
export const longestWait = 1_800

/** What an owner is told. */
export const observeReasons: Readonly<Record<ObserveReason, string>> = {
  blind: 'It cannot see how things stand.',
  rpcOutage: 'The chain cannot be reached.',
  signerOutage: 'The signer does not answer.',
  managerPaused: 'MetaMask paused the DelegationManager; nothing can be redeemed, and nothing is lost.',
  keyLost: 'The session key is gone. A new one waits for the owner’s grant.',
  keyRefused: 'The chain refuses the session key. A new one waits for the owner’s grant.',
  regranting: 'The owner is signing for it anew.',
  gasGone: 'The session key cannot pay for gas. It goes on once it has some.',
}

/** The state after something went wrong once more. `random` is from 0 to 1; it spreads Golems that fell together. */
export function observe(recovery: Recovery, reason: ObserveReason, now: number, random: number): Observing {
  const known = recovery.is === 'observing' && recovery.reason === reason ? recovery : undefined
  const attempts = (known?.attempts ?? 0) + 1
  const wait = Math.min(longestWait, firstWait * 2 ** Math.min(attempts - 1, 30))
  const since = recovery.is === 'observing' ? recovery.since : now
  return { is: 'observing', reason, since, attempts, retryAt: now + wait / 2 + (wait / 2) * random }
}

/** Which outage an error speaks of; undefined for one that is no outage. */
export function outageOf(error: unknown): ObserveReason | undefined {
  if (!(error instanceof BardoError)) return undefined
  switch (error.code) {
    case 'MANAGER_PAUSED':
      return 'managerPaused'
    case 'RPC_UNAVAILABLE':
    case 'RPC_MALFORMED':
      return 'rpcOutage'
    case 'INSUFFICIENT_FUNDS':
      return 'gasGone'
    case 'JOURNAL_UNAVAILABLE':
      return 'blind'
    case 'SESSION_KEY_ZEROED':
    case 'SEALED_KEY_WRONG_SECRET':
    case 'SEALED_KEY_TAMPERED':
      return 'keyLost'
    default:
      return undefined
  }
}
