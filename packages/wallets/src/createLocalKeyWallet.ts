import type { SessionKeyWalletOptions } from './createDelegationWallet.ts'
import { requireSecretKey } from './requireSecretKey.ts'
import { sessionKeyWallet } from './sessionKeyWallet.ts'
import type { Wallet } from './wallet.ts'

/**
 * A key that is stored on this machine, limited only by a delegation. For development. A publicly known key
 * is refused on every chain but the devnet.
 *
 * @example
 * const { capabilities } = createLocalKeyWallet({ key, chains: [31_337] })
 * console.warn(capabilities.warning)
 */
export function createLocalKeyWallet({ key, chains }: SessionKeyWalletOptions): Wallet {
  const warning = `The key of ${key.address} is stored on this machine. Anyone who reads it can do everything that its delegation allows: only the on-chain limits protect the owner.`
  const wallet = sessionKeyWallet(key, { custody: 'localKey', chains, warning })
  requireSecretKey(wallet.address, chains)
  return wallet
}
