import type { PermissionPlan, Phase } from '@bardo/core'

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

/** No action now. */
export type Wait = { readonly type: 'wait'; readonly because: string }

/** The result of a strategy. */
export type Decision = Intention | Wait

/** Decides what to do next. {@link boundDecision} limits every result before anything happens. */
export type Strategy = (view: View) => Promise<Decision>

/** A decision to wait, with its reason. */
export function wait(because: string): Wait {
  return { type: 'wait', because }
}

/** A short summary of an intention. */
export function summaryOf(intention: Intention): string {
  return intention.type === 'swap'
    ? `swap ${intention.from} to ${intention.to}`
    : `${intention.type} ${intention.asset}`
}
