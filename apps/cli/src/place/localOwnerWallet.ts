import { createOwnerWallet, type DevnetConnection } from '@bardo/devnet'
import type { LocalAccount } from 'viem'

/** The wallet of an owner of the local world, as a page would see it. It approves what they are asked for. */
export function localOwnerWallet(
  { url, framework }: Pick<DevnetConnection, 'url' | 'framework'>,
  key: LocalAccount,
) {
  return createOwnerWallet({ url, environment: framework, accounts: [key], decide: () => 'approve' })
}
