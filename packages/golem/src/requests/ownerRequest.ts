import { type ActionPermit, BardoError, type Delegation, upgradeNames } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import { type Address, type Hash, type Hex, maxUint256 } from 'viem'
import { z } from 'zod'
import { type WalletPolicy, walletPolicySchema } from '../action/walletPolicy.ts'
import { delegationSchema } from '../permission/delegationSchema.ts'

/** A step of a wallet migration. */
export type MigrationStep = {
  readonly kind: 'erc20' | 'nft' | 'eth'
  /** The token's contract; the zero address for ETH. */
  readonly token: Address
  /** Base units, or the NFT's id. */
  readonly amount: bigint
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
}

/** An asset that a migration does not move, and the reason. */
export type LeftBehind = {
  readonly token: Address
  /** Undefined if it is unknown. */
  readonly amount?: bigint
  readonly why: string
}

/** A Golem that gets a runway: the account that receives it, and the key that draws. */
export type FedGolem = { readonly golem: Hash; readonly account: Address; readonly key: Address }

/**
 * Something that only the owner can do. It comes from a database: no field reaches a wallet, a signer or a
 * screen unchecked.
 * `sentence`, `method` and `needsOverride` are stored for older readers and are never read.
 */
export type OwnerAsk =
  /** ERC-7715: one request for each Golem, in the same order. */
  | {
      readonly type: 'runway'
      readonly sentence: string
      readonly golems: readonly FedGolem[]
      readonly method: string
      readonly requests: readonly Readonly<Record<string, unknown>>[]
      /** It exceeds the limit for runways without explicit confirmation. */
      readonly needsOverride: boolean
    }
  /** A delegation to sign for a key that is already created and sealed. */
  | {
      readonly type: 'sessionKey'
      readonly sentence: string
      readonly publicKey: Hex
      readonly label: string
      readonly root: Delegation
    }
  /** A wider policy. The permit's action is the hash of `after`, its policy that of `before`. */
  | {
      readonly type: 'policy'
      readonly sentence: string
      readonly before: WalletPolicy
      readonly after: WalletPolicy
      readonly permit: ActionPermit
      readonly account: Address
    }
  /** A transfer by the owner. The zero address as token means ETH. */
  | {
      readonly type: 'fund'
      readonly sentence: string
      readonly from: Address
      readonly to: Address
      readonly token: Address
      readonly amount: bigint
      /** The newest block at the time of the request: an older transfer does not answer it. */
      readonly sinceBlock: bigint
    }
  /** The owner's permit for one Layer 3 action. */
  | {
      readonly type: 'permit'
      readonly sentence: string
      readonly permit: ActionPermit
      readonly account: Address
      readonly source: Address
      readonly destination: Address
      readonly steps: readonly MigrationStep[]
      readonly notMoved: readonly LeftBehind[]
    }

const hex = z.templateLiteral(['0x', z.string().regex(/^(?:[0-9a-fA-F]{2})*$/)])
const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)])
const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)])
const unsigned = z.bigint().min(0n).max(maxUint256)

const permitSchema: z.ZodType<ActionPermit> = z.strictObject({
  golem: hash,
  action: hash,
  riskTier: z.number(),
  policyHash: hash,
  simulationHash: hash,
  nonce: unsigned,
  deadline: unsigned,
})

const askSchema: z.ZodType<OwnerAsk> = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('runway'),
    sentence: z.string(),
    golems: z.array(z.strictObject({ golem: hash, account: address, key: address })),
    method: z.string(),
    requests: z.array(z.record(z.string(), z.unknown())),
    needsOverride: z.boolean(),
  }),
  z.strictObject({
    type: z.literal('sessionKey'),
    sentence: z.string(),
    publicKey: hex,
    label: z.string(),
    root: delegationSchema,
  }),
  z.strictObject({
    type: z.literal('policy'),
    sentence: z.string(),
    before: walletPolicySchema,
    after: walletPolicySchema,
    permit: permitSchema,
    account: address,
  }),
  z.strictObject({
    type: z.literal('fund'),
    sentence: z.string(),
    from: address,
    to: address,
    token: address,
    amount: unsigned,
    sinceBlock: unsigned,
  }),
  z.strictObject({
    type: z.literal('permit'),
    sentence: z.string(),
    permit: permitSchema,
    account: address,
    source: address,
    destination: address,
    steps: z.array(
      z.strictObject({
        kind: z.enum(['erc20', 'nft', 'eth']),
        token: address,
        amount: unsigned,
        to: address,
        value: unsigned,
        data: hex,
      }),
    ),
    notMoved: z.array(
      z.strictObject({ token: address, amount: z.bigint().exactOptional(), why: z.string() }),
    ),
  }),
])

const revocation = z.looseObject({ delegations: z.array(hash) })

/** The hashes of the delegations that a stored request asks to disable. */
export function readRevocation({ kind, body }: Pick<OwnerRequest, 'kind' | 'body'>): readonly Hash[] {
  const parsed = kind === 'revoke' ? revocation.safeParse(body) : undefined
  if (parsed?.success) return parsed.data.delegations
  throw new BardoError('This is not a request for a revocation.', { code: 'INVALID_INPUT', details: [kind] })
}

/** Parses a stored request; undefined for a row of another kind, or an unreadable one. */
export function parseOwnerAsk({ kind, body }: Pick<OwnerRequest, 'kind' | 'body'>): OwnerAsk | undefined {
  const parsed = askSchema.safeParse(upgradeNames(body))
  return parsed.success && parsed.data.type === kind ? parsed.data : undefined
}

/** Parses a stored request; throws if it cannot be read. */
export function readOwnerAsk(request: Pick<OwnerRequest, 'kind' | 'body'>): OwnerAsk {
  const ask = parseOwnerAsk(request)
  if (ask) return ask
  throw new BardoError('The request is unreadable or of another kind.', {
    code: 'INVALID_INPUT',
    details: [request.kind],
  })
}

/** Parses a stored request of one kind. */
export function readAskOf<Kind extends OwnerAsk['type']>(
  kind: Kind,
  request: Pick<OwnerRequest, 'kind' | 'body'>,
): Extract<OwnerAsk, { type: Kind }> {
  const ask = readOwnerAsk(request)
  if (isAskOf(kind, ask)) return ask
  throw new BardoError('The request is of another kind.', {
    code: 'INVALID_INPUT',
    details: [ask.type],
  })
}

function isAskOf<Kind extends OwnerAsk['type']>(
  kind: Kind,
  ask: OwnerAsk,
): ask is Extract<OwnerAsk, { type: Kind }> {
  return ask.type === kind
}

/** An owner's answer. Nothing in it is trusted: it is checked against signed bytes or the chain. */
export type OwnerAnswer =
  | { readonly type: 'refused' }
  /**
   * The wallet's answer to `requests`, and the signed draw delegations; `override` is the owner's explicit
   * confirmation.
   */
  | {
      readonly type: 'granted'
      readonly grants: unknown
      readonly feeds: readonly Delegation[]
      readonly override?: boolean
    }
  | { readonly type: 'delegated'; readonly delegation: Delegation }
  /** The signature of the permit; a narrower policy than the requested one comes with it. */
  | { readonly type: 'permitted'; readonly signature: Hex; readonly policy?: WalletPolicy }
  | { readonly type: 'sent'; readonly transaction: Hash }
  /** Done; the chain must confirm it. */
  | { readonly type: 'revoked' }
  /** The chain must confirm that the Golem's row names its key again. */
  | { readonly type: 'renamed' }
  /** The owner has read it. Nothing is signed or sent. */
  | { readonly type: 'noted' }
