import type { SubmissionBackend } from '@bardo/chain'
import type { CustodyMode, ErrorCode, TypedDataWallet } from '@bardo/core'
import type { Address, PublicClient } from 'viem'
import type { SessionAccount } from './sessionAccount.ts'

/** Whether a wallet can work now, and if not, why. */
export type WalletHealth =
  | { readonly type: 'healthy' }
  | { readonly type: 'unhealthy'; readonly code: ErrorCode; readonly because: string }

/** What a wallet is and what it can do, as plain data. */
export type WalletCapabilities = {
  readonly custody: CustodyMode
  readonly chains: readonly number[]
  /** How its calls reach a chain: see {@link Wallet.backend}. */
  readonly backend: 'transaction' | 'userOperation'
  /** What the operator must know about this custody. The runtime prints it when it starts. */
  readonly warning?: string
}

/** The chain that a wallet acts on. */
export type WalletChain = { readonly client: PublicClient; readonly chainId: number }

/**
 * A wallet of any provider. It signs and sends, and it does not give its key away. `createWalletSubmitter`
 * executes its calls, each once: a wallet itself signs no transaction outside the journal.
 */
export type Wallet = TypedDataWallet & {
  /** The address that signs and sends; with a delegation it holds none of the owner's money. */
  readonly address: Address
  /** The session account that it acts by. Undefined if the key sends its own transactions. */
  readonly account?: SessionAccount
  readonly capabilities: WalletCapabilities
  health(): Promise<WalletHealth>
  /** How its calls reach a chain. Throws `UNSUPPORTED_CHAIN` for a chain that it is not for. */
  backend(chain: WalletChain): SubmissionBackend
}
