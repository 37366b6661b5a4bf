import type { CustodyMode, ErrorCode } from '@bardo/core'
import type { Address, LocalAccount } from 'viem'

/** Whether a wallet can do its work now, and if not, why. */
export type WalletHealth =
  | { readonly is: 'healthy' }
  | { readonly is: 'unhealthy'; readonly code: ErrorCode; readonly because: string }

/** One wallet, whoever provides it: an account that signs, and what is to be known of it. It shows no key. */
export type WalletHandle = {
  /** The address that signs; under a delegation it holds nothing of the owner's. */
  readonly address: Address
  readonly chains: readonly number[]
  readonly custody: CustodyMode
  readonly account: LocalAccount
  health(): Promise<WalletHealth>
}
