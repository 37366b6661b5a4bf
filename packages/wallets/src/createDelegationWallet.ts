import type { SessionKey } from '@bardo/core'
import { sessionKeyWallet } from './sessionKeyWallet.ts'
import type { Wallet } from './wallet.ts'

/** The parts of a wallet with a session key. */
export type SessionKeyWalletOptions = {
  /** The disposable session key. It does not hold the owner's money: the delegation limits its access. */
  readonly key: SessionKey
  readonly chains: readonly number[]
}

/**
 * The recommended wallet: a session key that acts for the owner's account, within the limits that the owner
 * signed.
 *
 * @example
 * const wallet = createDelegationWallet({ key, chains: [8453] })
 */
export function createDelegationWallet({ key, chains }: SessionKeyWalletOptions): Wallet {
  return sessionKeyWallet(key, { custody: 'delegation', chains })
}
