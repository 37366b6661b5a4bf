import { sessionKeyAccount } from '@bardo/chain'
import type { SessionKey } from '@bardo/core'
import { healthOf, type Standing } from './health.ts'
import type { WalletHandle } from './walletHandle.ts'

/** What a wallet under a delegation is made of. */
export type DelegationWalletOptions = {
  /** The disposable key. The owner's money is not behind it but behind the delegation. */
  readonly key: SessionKey
  readonly chains: readonly number[]
  readonly standing: Standing
}

/**
 * The recommended wallet: a session key that acts for the owner's account, within what the owner signed.
 *
 * @example
 * const wallet = createDelegationWallet({ key, chains: [8453], standing: async () => ({ is: 'active' }) })
 */
export function createDelegationWallet({ key, chains, standing }: DelegationWalletOptions): WalletHandle {
  const account = sessionKeyAccount(key)
  return {
    address: account.address,
    chains,
    custody: 'delegation',
    account,
    health: () => healthOf(key, standing),
  }
}
