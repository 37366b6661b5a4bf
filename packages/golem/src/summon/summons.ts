import type { OwnerSigner, Submitter, SubmitterSettings } from '@bardo/chain'
import type {
  Constitution,
  Curve,
  Delegation,
  SealingSecret,
  SigningMoment,
  StatedRules,
  VaultFloor,
} from '@bardo/core'
import type { DelegationBounds, ImportedKey, Route } from '@bardo/wallets'
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
      /** The owner's account registers the agent, and owns it. */
      readonly signer: OwnerSigner
      readonly uri: string
      /** How the session key sends its consent to be the agent's wallet. */
      readonly submitter?: Partial<SubmitterSettings>
    }

/** What a Golem is summoned from, before anything is signed or sent. */
export type Manifest = Pick<GolemParts, 'store' | 'client' | 'deployment' | 'book' | 'clock' | 'warn'> & {
  /** Unique among an owner's Golems: it identifies an interrupted summoning. */
  readonly name: string
  /** STRATEGY.md. */
  readonly strategy: string
  /** The owner's key, and the account with the money. */
  readonly owner: Address
  readonly account: Address
  /** Default: delegation. */
  readonly custody?: CustodyChoice
  /** Rules of golem.toml for the constitution, beside those of the strategy. */
  readonly constitution?: StatedRules | undefined
  /** Default: no identity. */
  readonly identity?: IdentityChoice
  /** The grace period of the dead-man's switch, in seconds. */
  readonly graceSeconds: number
  readonly intervalSeconds: number
  /** A dead Golem of the same owner whose testament the new one inherits. */
  readonly ancestor?: Hash
  /** How its calls reach the chain. Default: as transactions of its session key. */
  readonly route?: Route
  /** The curve of its session keys. Default: secp256k1. P-256 needs the route `userOperation`. */
  readonly curve?: Curve
  /** The secret that seals the session key. */
  readonly secret: SealingSecret
  /** What the root is built from. Default: what the chain and the data folder show. */
  readonly signing?: Pick<SummonPlan, 'now' | 'floors' | 'moment' | 'members'>
}

/** What the chain and the data folder show when a root is planned. */
export type SigningFigures = {
  readonly moment: SigningMoment
  readonly floors: readonly VaultFloor[]
  /** The keys of the Golems that the strategy names as co-signers, by name in lower case. */
  readonly members: ReadonlyMap<string, Address>
}

/** From what a Golem's first root is built: the same plan gives the same bytes. */
export type SummonPlan = SigningFigures & {
  readonly golem: Hash
  /** Its first key. */
  readonly key: Address
  /** Unix seconds: the start of the signed window. */
  readonly now: bigint
}

/** The input of a summoning. */
export type Summons = Manifest & {
  /** Pays for the registration. */
  readonly sponsor: Submitter
  /** Enacts a constitution and adopts it as the owner. Called only if one is signed, before the signature. */
  adopt(constitution: Constitution): Promise<unknown>
  /** Signs as the owner, once. */
  sign(root: Delegation): Promise<Delegation>
  /** Sends the first gas to the session key, once per intent id. */
  drip(key: Address, intentId: string): Promise<unknown>
}
