import { BardoError } from '@bardo/core'
import type { Address } from 'viem'
import { isPublicAccount } from './isPublicAccount.ts'

/** The chain id of the devnet. */
const devnet = 31_337

/** Refuses a publicly known key on every chain but the devnet: anyone could take what it holds. */
export function requireSecretKey(address: Address, chains: readonly number[]): void {
  const realChains = chains.filter((chain) => chain !== devnet)
  if (realChains.length === 0 || !isPublicAccount(address)) return
  throw new BardoError('This key is public.', {
    code: 'KEY_NOT_SECRET',
    details: [`${address} is one of anvil’s accounts`, `requested chains: ${realChains.join(', ')}`],
    remedy: `Use your own key, or only the devnet (${devnet}).`,
    docsPath: 'golem.md#wallets',
  })
}
