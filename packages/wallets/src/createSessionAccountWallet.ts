import { sessionSigner, userOperationBackend } from '@bardo/chain'
import { BardoError, type CustodyMode, type SessionKey } from '@bardo/core'
import { requireChain } from './requireChain.ts'
import type { Route } from './route.ts'
import type { SessionAccount } from './sessionAccount.ts'
import type { Wallet } from './wallet.ts'

/** The parts of a wallet with a session account. */
export type SessionAccountWalletOptions = {
  /** The account's signer. */
  readonly key: SessionKey
  readonly account: SessionAccount
  readonly custody: CustodyMode
  readonly chains: readonly number[]
  readonly route: Route
}

/**
 * A session account: a smart account whose signer is the session key. It acts by UserOperations, and its address stays
 * when the key rotates.
 *
 * @example
 * const wallet = createSessionAccountWallet({ key, account, custody: 'delegation', chains: [8453], route })
 */
export function createSessionAccountWallet({
  key,
  account,
  custody,
  chains,
  route,
}: SessionAccountWalletOptions): Wallet {
  const { accountSigner } = sessionSigner(key)
  const connect = route.type === 'userOperation' ? route.bundler : undefined
  const paymaster = route.type === 'userOperation' ? route.paymaster : undefined
  return Object.freeze({
    address: account.address,
    account,
    capabilities: { custody, chains, backend: 'userOperation' },
    signTypedData: (typedData) => accountSigner.signTypedData(typedData),
    async health() {
      if (key.wiped)
        return { type: 'unhealthy', code: 'SESSION_KEY_ZEROED', because: 'The session key was wiped.' }
      if (connect) return { type: 'healthy' }
      return { type: 'unhealthy', code: 'CONFIG_INVALID', because: 'No bundler is configured.' }
    },
    backend({ client, chainId }) {
      requireChain(chains, chainId)
      if (!connect) throw noBundler()
      const chain = { client, entryPoint: account.framework.EntryPoint }
      return userOperationBackend({
        client,
        account: { ...account, signer: accountSigner },
        bundler: connect(chain),
        ...(paymaster && { paymaster: paymaster(chain) }),
      })
    },
  } satisfies Wallet)
}

/** The Golem acts by UserOperations, and this process has no bundler. */
export function noBundler(): BardoError {
  return new BardoError('The Golem acts by UserOperations, and no bundler is configured.', {
    code: 'CONFIG_INVALID',
    remedy: 'Set BARDO_BUNDLER_URL for the process that ticks it.',
    docsPath: 'golem.md#routes',
  })
}
