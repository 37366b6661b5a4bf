import type { Submitter } from '@bardo/chain'
import type { Delegation, SealingSecret, SessionKey } from '@bardo/core'
import type { DelegationBounds } from '@bardo/wallets'
import type { Address, Hash } from 'viem'
import type { GolemParts } from './golemParts.ts'

/** How the owner's money is held. It is chosen once. */
export type CustodyChoice =
  | { readonly is: 'delegation' }
  | {
      readonly is: 'localKey'
      readonly bounds: DelegationBounds
      /** Without a key of the owner's, one is made. It is sealed in either case. */
      readonly key?: SessionKey
    }

/** Whether the Golem gets an identity in ERC-8004's registry. */
export type IdentityChoice =
  | { readonly is: 'skip' }
  | {
      readonly is: 'register'
      /** The owner's: whoever registers an agent owns it. */
      readonly submitter: Submitter
      readonly uri: string
    }

/** What a person brings to a summoning. */
export type Summons = Pick<GolemParts, 'store' | 'client' | 'deployment' | 'book' | 'clock' | 'warn'> & {
  /** An owner's Golems have names of their own: a summoning that was interrupted is found by it. */
  readonly name: string
  /** STRATEGY.md. */
  readonly strategy: string
  /** The owner's key, and the account whose money it is. */
  readonly owner: Address
  readonly account: Address
  /** A delegation unless told. */
  readonly custody?: CustodyChoice
  /** None unless told. */
  readonly identity?: IdentityChoice
  /** Dead-man's switch in seconds. */
  readonly graceSeconds: number
  readonly intervalSeconds: number
  /** A dead Golem of the same owner, whose testament this one inherits. */
  readonly ancestor?: Hash
  /** What the session key is sealed under. */
  readonly secret: SealingSecret
  /** Pays for the registration. */
  readonly sponsor: Submitter
  /** The owner's one signature. */
  sign(root: Delegation): Promise<Delegation>
  /** The first drip of gas for the session key; the same intent id is the same drip. */
  drip(key: Address, intentId: string): Promise<unknown>
}
