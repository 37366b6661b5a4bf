import type { SmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import type { Hash, Hex } from 'viem'
import type { Decision, Prompt } from './decision.ts'
import type { Grant } from './grants/grant.ts'
import type { Keyring } from './keyring.ts'
import type { Networks } from './networks.ts'

/** Calls that went out together, by the id the page knows them by (EIP-5792). */
export type CallBundle = {
  readonly chainId: number
  readonly hash: Hash
}

/** Everything a method may use. */
export type WalletContext = {
  readonly environment: SmartAccountsEnvironment
  readonly keyring: Keyring
  readonly networks: Networks
  readonly grants: Map<Hex, Grant>
  readonly bundles: Map<Hex, CallBundle>
  /** Puts a prompt before the owner; throws 4001 when they reject it. */
  ask(prompt: Prompt): Promise<Exclude<Decision, 'reject'>>
  /** Runs one submission after the other: two at once would claim the same nonce. */
  inTurn<result>(submit: () => Promise<result>): Promise<result>
}

/** One JSON-RPC method of the wallet: parses what the page sent, asks the owner where money or authority moves, acts. */
export type WalletMethod = (wallet: WalletContext, params: unknown) => Promise<unknown>
