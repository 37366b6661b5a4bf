import { sessionKeyAccount } from '@bardo/chain'
import { BardoError, type SessionKey } from '@bardo/core'
import { healthOf, type Standing } from './health.ts'
import { isPublicAccount } from './isPublicAccount.ts'
import type { WalletHandle } from './walletHandle.ts'

/** What a wallet with a local key is made of. */
export type LocalKeyWalletOptions = {
  readonly key: SessionKey
  readonly chains: readonly number[]
  readonly standing: Standing
  /** Told once, at the start. */
  readonly warn: (message: string) => void
}

/** The chain of the local world. */
const devnet = 31_337

/**
 * A key that lies on this machine, bounded by a delegation and by nothing else. For development. A key that the whole
 * world knows is refused everywhere but on the devnet.
 */
export function createLocalKeyWallet({ key, chains, standing, warn }: LocalKeyWalletOptions): WalletHandle {
  const account = sessionKeyAccount(key)
  const abroad = chains.filter((chain) => chain !== devnet)
  if (abroad.length > 0 && isPublicAccount(account.address))
    throw new BardoError('This key is public knowledge.', {
      code: 'KEY_NOT_SECRET',
      details: [`${account.address} is one of anvil’s accounts`, `asked for on ${abroad.join(', ')}`],
      remedy: `Use a key of your own, or the devnet (${devnet}) alone.`,
      docsPath: 'golem.md#wallets',
    })
  warn(
    `The key of ${account.address} lies on this machine. Whoever reads it can do all that its delegation allows; only the bounds on-chain protect the owner.`,
  )
  return {
    address: account.address,
    chains,
    custody: 'localKey',
    account,
    health: () => healthOf(key, standing),
  }
}
