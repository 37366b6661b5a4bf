import type { SmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import type { Hash, Hex } from 'viem'
import type { Decision, Prompt } from './decision.ts'
import type { Grant } from './grants/grant.ts'
import type { GrantDialect } from './grants/grantAnswer.ts'
import type { Keyring } from './keyring.ts'
import type { Networks } from './networks.ts'

/** Calls that were sent together, by the page's id for them (EIP-5792). */
export type CallBundle = {
  readonly chainId: number
  readonly hash: Hash
}

/** Everything that a method can use. */
export type WalletContext = {
  readonly environment: SmartAccountsEnvironment
  /** The format of granted permissions. */
  readonly dialect: GrantDialect
  readonly keyring: Keyring
  readonly networks: Networks
  readonly grants: Map<Hex, Grant>
  readonly bundles: Map<Hex, CallBundle>
  /** Shows a prompt to the owner. Throws 4001 if they reject it. */
  ask(prompt: Prompt): Promise<Exclude<Decision, 'reject'>>
  /** Runs one submission after another: two at the same time would claim the same nonce. */
  inTurn<result>(submit: () => Promise<result>): Promise<result>
}

/**
 * A JSON-RPC method of the wallet: parses the parameters, asks the owner if money or authority moves, and
 * acts.
 */
export type WalletMethod = (wallet: WalletContext, params: unknown) => Promise<unknown>
