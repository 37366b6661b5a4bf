import { sessionKeyAccount } from '@bardo/chain'
import { BardoError, type SessionKey } from '@bardo/core'
import { healthOf, type Standing } from './health.ts'
import { isPublicAccount } from './isPublicAccount.ts'
import type { WalletHandle } from './walletHandle.ts'

/** The parts of a wallet with a local key. */
export type LocalKeyWalletOptions = {
  readonly key: SessionKey
  readonly chains: readonly number[]
  readonly standing: Standing
  /** Called once, at the start. */
  readonly warn: (message: string) => void
}

/** The chain id of the devnet. */
const devnet = 31_337

/**
 * A key that is stored on this machine, limited only by a delegation. For development. A publicly known key
 * is refused on every chain but the devnet.
 */
export function createLocalKeyWallet({ key, chains, standing, warn }: LocalKeyWalletOptions): WalletHandle {
  const account = sessionKeyAccount(key)
  const realChains = chains.filter((chain) => chain !== devnet)
  if (realChains.length > 0 && isPublicAccount(account.address))
    throw new BardoError('This key is public.', {
      code: 'KEY_NOT_SECRET',
      details: [
        `${account.address} is one of anvil’s accounts`,
        `requested chains: ${realChains.join(', ')}`,
      ],
      remedy: `Use your own key, or only the devnet (${devnet}).`,
      docsPath: 'golem.md#wallets',
    })
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
