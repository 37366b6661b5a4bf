import type { Inference, LiquidityRules, PermissionPlan, Phase, PlanPair, TokenPrice } from '@bardo/core'
import type { Pad } from '../mood/mood.ts'

/** The holding of one asset, in cents by its feed. */
export type Holding = {
  /** The symbol in the plan. */
  readonly symbol: string
  /** The balance in the owner's account. */
  readonly cents: bigint
  /** The balance in the owner's vault for it. */
  readonly vaultCents: bigint
  /** Set if its price comes from a feed and moves; not set for an asset signed at par. */
  readonly floats?: true
  /** The token's own name: text from outside. */
  readonly label?: string
}

/** What the owner's constitution leaves now. */
export type ConstitutionRoom = {
  /** The most that the next action may spend. */
  readonly leftCents: bigint
  /** The most that may be bought, by symbol. An asset that is not listed is not approved. */
  readonly buyCents: Readonly<Record<string, bigint>>
  /** The most that may go into a vault, which counts as lost. */
  readonly depositCents: bigint
}

/** All input of a strategy. */
export type View = {
  /** Unix seconds. */
  readonly now: number
  readonly phase: Phase
  /** 0 to 1. */
  readonly vitality: number
  readonly sustainabilityRatio: number
  readonly plan: PermissionPlan
  readonly holdings: readonly Holding[]
  /** The amount that a vault manager leaves outside the vault. */
  readonly reserveCents: bigint
  /** The amount that may still be spent within 24 hours. */
  readonly leftTodayCents: bigint
  readonly lastExecutionAt: number | undefined
  /** The mood that the chain shows; undefined if it is not known. */
  readonly mood?: Pad | undefined
  /** Undefined if none is signed. */
  readonly constitution?: ConstitutionRoom | undefined
  /** Undefined if the signed strategy provides no liquidity. */
  readonly liquidity?: LiquidityView | undefined
  /** Sales that the signed strategy asks for only when the Golem winds down. */
  readonly windDown?: readonly PlanPair[] | undefined
  /** What it bought and the account still has, in cents by symbol. Set when it winds down. */
  readonly bought?: Readonly<Record<string, bigint>> | undefined
  /** Undefined if the owner signed no Replicants. */
  readonly replicants?: ReplicantRoom | undefined
}

/** What a Golem knows about its liquidity. */
export type LiquidityView = {
  /** Undefined if the text does not say how. */
  readonly rules: LiquidityRules | undefined
  /** Only positions that this Golem opened. */
  readonly positions: readonly OpenLiquidity[]
  /** The price of the pool's priced asset by its feed, in cents; undefined without a price. */
  readonly priceCents: bigint | undefined
  /** Which part of a new position is the asset, in basis points of its value, by symbol. */
  readonly shares: Readonly<Record<string, number>>
}

/** A position that a Golem opened and did not close. */
export type OpenLiquidity = {
  readonly tokenId: bigint
  readonly assets: readonly [string, string]
  readonly cents: bigint
  readonly feeCents: bigint
  readonly inRange: boolean
  /** Unix seconds: when it was opened, grew, or paid out fees. */
  readonly touchedAt: number
}

/** What a Golem may still give to Replicants. */
export type ReplicantRoom = {
  /** How many more it may have now. */
  readonly left: number
  /** The maximum of one in any 24 hours. */
  readonly dayCents: bigint
  /** How often the signed strategy lets it create one by itself; undefined if it does not say so. */
  readonly everySeconds: number | undefined
  /** Unix seconds; undefined before the first one. */
  readonly lastBornAt: number | undefined
  /** Whether the creation of one was interrupted: it continues before anything else. */
  readonly isUnfinished: boolean
}

/** An action that a strategy wants: symbols and cents, no addresses and no calldata. */
export type Intention =
  | {
      readonly type: 'swap'
      readonly from: string
      readonly to: string
      readonly cents: bigint
      readonly because: string
    }
  | {
      readonly type: 'deposit' | 'withdraw'
      readonly asset: string
      readonly cents: bigint
      readonly because: string
    }
  | AddLiquidity
  | CloseLiquidity<'removeLiquidity'>
  | CloseLiquidity<'collect'>

/** `removeLiquidity` removes and collects all of a position, `collect` its fees. */
type CloseLiquidity<Type extends string> = {
  readonly type: Type
  readonly assets: readonly [string, string]
  readonly tokenId: bigint
  /** What it is worth. */
  readonly cents: bigint
  readonly because: string
}

/** Liquidity to add around the price of the feeds: a new position, or more for one that the Golem opened. */
export type AddLiquidity = {
  readonly type: 'addLiquidity'
  /** Both symbols in alphabetical order. */
  readonly assets: readonly [string, string]
  readonly cents: bigint
  readonly downBps: number
  readonly upBps: number
  /** The position to add to. Left out for a new one. */
  readonly tokenId?: bigint
  readonly because: string
}

/** A Replicant that a strategy wants: its maximum in any 24 hours. */
export type Spawn = { readonly type: 'replicate'; readonly cents: bigint; readonly because: string }

/** No action now. */
export type Wait = { readonly type: 'wait'; readonly because: string }

/** The result of a strategy. */
export type Decision = Intention | Spawn | Wait

/** Decides what to do next. {@link boundDecision} limits every result before anything happens. */
export type Strategy = (view: View, report?: ReportInference) => Promise<Decision>

/** Receives every answer that a model gave for a decision, used or not: each costs its tokens. */
export type ReportInference = (used: InferenceReport) => void

/** The tokens of an answer, their price, and who is owed the cost. */
export type InferenceReport = Inference & {
  readonly isEstimated: boolean
  readonly price: TokenPrice
  readonly creditor: string
}

/** A decision to wait, with its reason. */
export function wait(because: string): Wait {
  return { type: 'wait', because }
}

/** A short summary of an intention. */
export function summaryOf(intention: Intention): string {
  switch (intention.type) {
    case 'swap':
      return `swap ${intention.from} to ${intention.to}`
    case 'addLiquidity':
      return `add liquidity to ${intention.assets.join('/')}`
    case 'removeLiquidity':
      return `remove liquidity-${intention.tokenId} of ${intention.assets.join('/')}`
    case 'collect':
      return `collect the fees of liquidity-${intention.tokenId}`
    default:
      return `${intention.type} ${intention.asset}`
  }
}

/** The assets that leave the account. */
export function soldBy(intention: Intention): readonly string[] {
  switch (intention.type) {
    case 'swap':
      return [intention.from]
    case 'deposit':
      return [intention.asset]
    case 'addLiquidity':
      return intention.assets
    default:
      return []
  }
}
