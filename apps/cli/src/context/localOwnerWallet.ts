import { createOwnerWallet, type DevnetConnection } from '@bardo/devnet'
import type { LocalAccount } from 'viem'

/** The wallet of a test owner on the local chain, with the interface that a web page sees. It approves every request. */
export function localOwnerWallet(
  { url, framework }: Pick<DevnetConnection, 'url' | 'framework'>,
  key: LocalAccount,
) {
  return createOwnerWallet({ url, environment: framework, accounts: [key], decide: () => 'approve' })
}
