import { sessionKeyAccount } from '@bardo/chain'
import type { SessionKey } from '@bardo/core'
import { healthOf, type Standing } from './health.ts'
import type { Wallet } from './wallet.ts'

/** The parts of a wallet with a delegation. */
export type DelegationWalletOptions = {
  /** The disposable session key. It does not hold the owner's money: the delegation limits its access. */
  readonly key: SessionKey
  readonly chains: readonly number[]
  readonly standing: Standing
}

/**
 * The recommended wallet: a session key that acts for the owner's account, within the limits that the owner
 * signed.
 *
 * @example
 * const wallet = createDelegationWallet({ key, chains: [8453], standing: async () => ({ type: 'active' }) })
 */
export function createDelegationWallet({ key, chains, standing }: DelegationWalletOptions): Wallet {
  const account = sessionKeyAccount(key)
  return {
    address: account.address,
    chains,
    custody: 'delegation',
    account,
    health: () => healthOf(key, standing),
  }
}
