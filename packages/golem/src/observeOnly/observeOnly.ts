import { BardoError, type ErrorCode } from '@bardo/core'

/** Why a Golem is in observe-only mode. */
export type ObserveReason =
  | 'blind'
  | 'rpcOutage'
  | 'signerOutage'
  | 'managerPaused'
  | 'keyLost'
  | 'keyRefused'
  | 'gasGone'
  | 'regranting'
  | 'revocationSeen'
  | 'missedTicks'
  | 'strategyChanged'

/** Observe-only mode until the cause is gone. */
export type Observing = {
  readonly type: 'observing'
  readonly reason: ObserveReason
  /** Unix seconds. */
  readonly since: number
  /** The number of failed attempts. */
  readonly attempts: number
  readonly retryAt: number
}

/** Whether a Golem acts. Plain data, stored with the Golem. */
export type Recovery = { readonly type: 'acting' } | Observing

/** The first wait in seconds; each one doubles. */
const firstWait = 5
/**
 * The longest wait in seconds: half an hour after the end of an outage is soon enough, and a pause may last
 * for days.
 */
export const longestWait = 1_800

/** The sentences for an owner. */
export const observeReasons: Readonly<Record<ObserveReason, string>> = {
  blind: 'It cannot read its state.',
  rpcOutage: 'The chain cannot be reached.',
  signerOutage: 'The signer does not answer.',
  managerPaused: 'MetaMask paused the DelegationManager; nothing can be redeemed, and nothing is lost.',
  keyLost: 'The session key is lost. A new one waits for the owner’s grant.',
  keyRefused: 'The chain refuses the session key. A new one waits for the owner’s grant.',
  regranting: 'The owner is replacing its delegation.',
  revocationSeen: 'Its delegation is revoked in a block that is not final yet.',
  missedTicks: 'No worker has ticked it for some time. It acts again once a worker ticks it.',
  strategyChanged: 'Its stored strategy differs from the one that the owner signed.',
  gasGone: 'The session key cannot pay for gas. It acts again once the key has gas.',
}

/**
 * The state after another failure. `random` is from 0 to 1; it spreads the retries of Golems that failed
 * together.
 */
export function observe(recovery: Recovery, reason: ObserveReason, now: number, random: number): Observing {
  const previous = recovery.type === 'observing' && recovery.reason === reason ? recovery : undefined
  const attempts = (previous?.attempts ?? 0) + 1
  const wait = Math.min(longestWait, firstWait * 2 ** Math.min(attempts - 1, 30))
  const since = recovery.type === 'observing' ? recovery.since : now
  return { type: 'observing', reason, since, attempts, retryAt: now + wait / 2 + (wait / 2) * random }
}

/** The outage that an error indicates; undefined if it is not an outage. */
export function outageOf(error: unknown): ObserveReason | undefined {
  return error instanceof BardoError ? outageOfCode(error.code) : undefined
}

/** The same for the code of an error, for example from a wallet's health. */
export function outageOfCode(code: ErrorCode): ObserveReason | undefined {
  switch (code) {
    case 'MANAGER_PAUSED':
      return 'managerPaused'
    case 'RPC_UNAVAILABLE':
    case 'RPC_MALFORMED':
    // A gateway may briefly answer for another chain during a failover.
    case 'CHAIN_MISMATCH':
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
