import { type ActionPermit, BardoError, type Delegation } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import type { Address, Hash, Hex } from 'viem'
import { z } from 'zod'
import { type WalletPolicy, walletPolicySchema } from './walletPolicy.ts'

/** What a wallet migration moves, in its order. */
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

/** What a migration leaves where it is, and why. */
export type LeftBehind = {
  readonly token: Address
  /** Undefined where nobody here can tell. */
  readonly amount?: bigint
  readonly why: string
}

/** A Golem that is to be fed: by which account, and which key draws. */
export type FedGolem = { readonly golem: Hash; readonly account: Address; readonly key: Address }

/** Something that only the owner can do, with all that their wallet has to show. */
export type OwnerAsk =
  /** ERC-7715: one request for each Golem, in their order. */
  | {
      readonly is: 'runway'
      readonly sentence: string
      readonly golems: readonly FedGolem[]
      readonly method: string
      readonly requests: readonly Readonly<Record<string, unknown>>[]
      /** It is more than the guard lets through without the owner's express word. */
      readonly needsOverride: boolean
    }
  /** A delegation to sign for a key that is made and sealed already. */
  | {
      readonly is: 'sessionKey'
      readonly sentence: string
      readonly publicKey: Hex
      readonly label: string
      readonly root: Delegation
    }
  /** A wider policy. The permit's action is the hash of `after`, its policy that of `before`. */
  | {
      readonly is: 'policy'
      readonly sentence: string
      readonly before: WalletPolicy
      readonly after: WalletPolicy
      readonly permit: ActionPermit
      readonly account: Address
    }
  /** A transaction of the owner's own. A token of zeros is ETH. */
  | {
      readonly is: 'fund'
      readonly sentence: string
      readonly from: Address
      readonly to: Address
      readonly token: Address
      readonly amount: bigint
      /** What the chain had seen when it was asked: an older transfer is no answer. */
      readonly sinceBlock: bigint
    }
  /** The owner's word for one Layer 3 action. */
  | {
      readonly is: 'permit'
      readonly sentence: string
      readonly permit: ActionPermit
      readonly account: Address
      readonly source: Address
      readonly destination: Address
      readonly steps: readonly MigrationStep[]
      readonly notMoved: readonly LeftBehind[]
    }

const hex = z.templateLiteral(['0x', z.string()])

/** A delegation as it is stored, or sent by a wallet's page. */
export const delegationSchema: z.ZodType<Delegation> = z.strictObject({
  delegate: hex,
  delegator: hex,
  authority: hex,
  caveats: z.array(z.strictObject({ enforcer: hex, terms: hex, args: hex })),
  salt: z.bigint(),
  signature: hex,
})

const permitSchema: z.ZodType<ActionPermit> = z.strictObject({
  golem: hex,
  action: hex,
  riskTier: z.number(),
  policyHash: hex,
  simulationHash: hex,
  nonce: z.bigint(),
  deadline: z.bigint(),
})

const askSchema: z.ZodType<OwnerAsk> = z.discriminatedUnion('is', [
  z.strictObject({
    is: z.literal('runway'),
    sentence: z.string(),
    golems: z.array(z.strictObject({ golem: hex, account: hex, key: hex })),
    method: z.string(),
    requests: z.array(z.record(z.string(), z.unknown())),
    needsOverride: z.boolean(),
  }),
  z.strictObject({
    is: z.literal('sessionKey'),
    sentence: z.string(),
    publicKey: hex,
    label: z.string(),
    root: delegationSchema,
  }),
  z.strictObject({
    is: z.literal('policy'),
    sentence: z.string(),
    before: walletPolicySchema,
    after: walletPolicySchema,
    permit: permitSchema,
    account: hex,
  }),
  z.strictObject({
    is: z.literal('fund'),
    sentence: z.string(),
    from: hex,
    to: hex,
    token: hex,
    amount: z.bigint(),
    sinceBlock: z.bigint(),
  }),
  z.strictObject({
    is: z.literal('permit'),
    sentence: z.string(),
    permit: permitSchema,
    account: hex,
    source: hex,
    destination: hex,
    steps: z.array(
      z.strictObject({
        kind: z.enum(['erc20', 'nft', 'eth']),
        token: hex,
        amount: z.bigint(),
        to: hex,
        value: z.bigint(),
        data: hex,
      }),
    ),
    notMoved: z.array(z.strictObject({ token: hex, amount: z.bigint().exactOptional(), why: z.string() })),
  }),
])

/** What a stored request asks for. */
export function readOwnerAsk({ kind, body }: Pick<OwnerRequest, 'kind' | 'body'>): OwnerAsk {
  const parsed = askSchema.safeParse(body)
  if (parsed.success && parsed.data.is === kind) return parsed.data
  throw new BardoError('This request is none that is answered here.', {
    code: 'INVALID_INPUT',
    details: [kind],
  })
}

/** The same, where it can only be of one kind. */
export function readAskOf<Kind extends OwnerAsk['is']>(
  kind: Kind,
  request: Pick<OwnerRequest, 'kind' | 'body'>,
): Extract<OwnerAsk, { is: Kind }> {
  const ask = readOwnerAsk(request)
  if (isAskOf(kind, ask)) return ask
  throw new BardoError('This request asks for something else.', { code: 'INVALID_INPUT', details: [ask.is] })
}

function isAskOf<Kind extends OwnerAsk['is']>(
  kind: Kind,
  ask: OwnerAsk,
): ask is Extract<OwnerAsk, { is: Kind }> {
  return ask.is === kind
}

/** What an owner says. Nothing in it is believed: it is checked against bytes that were signed, or the chain. */
export type OwnerAnswer =
  | { readonly is: 'refused' }
  /** The wallet's own answer to `requests`, and what the accounts signed to be fed; `override` is the owner's express word. */
  | {
      readonly is: 'granted'
      readonly grants: unknown
      readonly feeds: readonly Delegation[]
      readonly override?: boolean
    }
  | { readonly is: 'delegated'; readonly delegation: Delegation }
  /** The permit's signature; a policy that is narrower than the one asked for comes with it. */
  | { readonly is: 'permitted'; readonly signature: Hex; readonly policy?: WalletPolicy }
  | { readonly is: 'sent'; readonly transaction: Hash }
  /** The chain shows that it is done. */
  | { readonly is: 'revoked' }
  /** The chain shows that the Golem's row names its key again. */
  | { readonly is: 'renamed' }
