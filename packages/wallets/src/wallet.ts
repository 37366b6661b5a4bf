import type { CustodyMode, ErrorCode } from '@bardo/core'
import type { Address, LocalAccount } from 'viem'

/** Whether a wallet can work now, and if not, why. */
export type WalletHealth =
  | { readonly type: 'healthy' }
  | { readonly type: 'unhealthy'; readonly code: ErrorCode; readonly because: string }

/** A wallet, whatever its provider: an account that signs, and facts about it. It does not expose the key. */
export type Wallet = {
  /** The address that signs; with a delegation it holds none of the owner's money. */
  readonly address: Address
  readonly chains: readonly number[]
  readonly custody: CustodyMode
  readonly account: LocalAccount
  health(): Promise<WalletHealth>
}
