import type { Submitter } from '@bardo/chain'
import type { Delegation, SealingSecret } from '@bardo/core'
import type { DelegationBounds, ImportedKey } from '@bardo/wallets'
import type { Address, Hash } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'

/** How the owner's money is held. It is chosen once. */
export type CustodyChoice =
  | { readonly type: 'delegation' }
  | {
      readonly type: 'localKey'
      readonly bounds: DelegationBounds
      /** If the owner gives no key, one is generated. It is sealed in either case. */
      readonly key?: ImportedKey
    }

/** Whether to register the Golem in ERC-8004's registry. */
export type IdentityChoice =
  | { readonly type: 'skip' }
  | {
      readonly type: 'register'
      /** The owner's submitter: the registrant of an agent owns it. */
      readonly submitter: Submitter
      readonly uri: string
    }

/** The input of a summoning. */
export type Summons = Pick<GolemParts, 'store' | 'client' | 'deployment' | 'book' | 'clock' | 'warn'> & {
  /** Unique among an owner's Golems: it identifies an interrupted summoning. */
  readonly name: string
  /** STRATEGY.md. */
  readonly strategy: string
  /** The owner's key, and the account with the money. */
  readonly owner: Address
  readonly account: Address
  /** Default: delegation. */
  readonly custody?: CustodyChoice
  /** Default: no identity. */
  readonly identity?: IdentityChoice
  /** The grace period of the dead-man's switch, in seconds. */
  readonly graceSeconds: number
  readonly intervalSeconds: number
  /** A dead Golem of the same owner whose testament the new one inherits. */
  readonly ancestor?: Hash
  /** The secret that seals the session key. */
  readonly secret: SealingSecret
  /** Pays for the registration. */
  readonly sponsor: Submitter
  /** Signs as the owner, once. */
  sign(root: Delegation): Promise<Delegation>
  /** Sends the first gas to the session key, once per intent id. */
  drip(key: Address, intentId: string): Promise<unknown>
}
