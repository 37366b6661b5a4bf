import { sessionKeyAccount } from '@bardo/chain'
import type { SessionKey } from '@bardo/core'
import { healthOf, type Standing } from './health.ts'
import { requireSecretKey } from './requireSecretKey.ts'
import type { Wallet } from './wallet.ts'

/** The parts of a wallet with a local key. */
export type LocalKeyWalletOptions = {
  readonly key: SessionKey
  readonly chains: readonly number[]
  readonly standing: Standing
  /** Called once, at the start. */
  readonly warn: (message: string) => void
}

/**
 * A key that is stored on this machine, limited only by a delegation. For development. A publicly known key
 * is refused on every chain but the devnet.
 */
export function createLocalKeyWallet({ key, chains, standing, warn }: LocalKeyWalletOptions): Wallet {
  const account = sessionKeyAccount(key)
  requireSecretKey(account.address, chains)
  warn(
    `The key of ${account.address} is stored on this machine. Anyone who reads it can do everything that its delegation allows: only the on-chain limits protect the owner.`,
  )
  return {
    address: account.address,
    chains,
    custody: 'localKey',
    account,
    health: () => healthOf(key, standing),
  }
}
