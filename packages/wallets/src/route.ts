import type { Bundler, Paymaster } from '@bardo/chain'
import type { Address, PublicClient } from 'viem'

/** The chain that a bundler or a paymaster serves. */
export type OperationChain = { readonly client: PublicClient; readonly entryPoint: Address }

/**
 * How a Golem's calls reach the chain: as transactions of its session key, or as UserOperations of a session
 * account whose signer is that key. It is chosen once, when the Golem is summoned.
 */
export type Route =
  | { readonly type: 'direct' }
  | {
      readonly type: 'userOperation'
      /** Undefined if this process knows no bundler: the Golem then only observes. */
      readonly bundler: ((chain: OperationChain) => Bundler) | undefined
      /** Pays for the operations. Default: the session account itself. */
      readonly paymaster?: ((chain: OperationChain) => Paymaster) | undefined
    }
