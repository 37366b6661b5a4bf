import { sessionKeyAccount, transactionBackend } from '@bardo/chain'
import { BardoError, type SessionKey } from '@bardo/core'
import type { Wallet, WalletCapabilities } from './wallet.ts'

/** What the wallets with a session key share: the key signs, and sends plain transactions. */
export function sessionKeyWallet(key: SessionKey, given: Omit<WalletCapabilities, 'backend'>): Wallet {
  const account = sessionKeyAccount(key)
  const { address } = account
  const capabilities = { ...given, backend: 'transaction' } as const
  return Object.freeze({
    address,
    capabilities,
    signTypedData: (typedData) => account.signTypedData(typedData),
    async health() {
      if (!key.wiped) return { type: 'healthy' }
      return { type: 'unhealthy', code: 'SESSION_KEY_ZEROED', because: 'The session key was wiped.' }
    },
    backend({ client, chainId }) {
      const { chains } = capabilities
      if (!chains.includes(chainId))
        throw new BardoError('The wallet is not for this chain.', {
          code: 'UNSUPPORTED_CHAIN',
          details: [`requested chain: ${chainId}`, `the wallet’s chains: ${chains.join(', ')}`],
          docsPath: 'golem.md#wallets',
        })
      return transactionBackend({ client, chainId, signer: account })
    },
  } satisfies Wallet)
}
