import { sessionKeyAccount, transactionBackend } from '@bardo/chain'
import type { SessionKey } from '@bardo/core'
import { requireChain } from './requireChain.ts'
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
      requireChain(capabilities.chains, chainId)
      return transactionBackend({ client, chainId, signer: account })
    },
  } satisfies Wallet)
}
