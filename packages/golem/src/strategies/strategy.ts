import type { PermissionPlan, Phase } from '@bardo/core'

/** What is held of one asset, in cents by feeds. */
export type Holding = {
  /** As the plan names it. */
  readonly symbol: string
  /** In the owner's account. */
  readonly cents: bigint
  /** In the owner's vault for it. */
  readonly vaultCents: bigint
  /** What the token says of itself: a stranger's text. */
  readonly label?: string
}

/** All that a strategy may know. */
export type View = {
  /** Unix seconds. */
  readonly now: number
  readonly phase: Phase
  /** 0 to 1. */
  readonly vitality: number
  readonly sustainabilityRatio: number
  readonly plan: PermissionPlan
  readonly holdings: readonly Holding[]
  /** What a vault manager leaves outside. */
  readonly reserveCents: bigint
  /** What may still leave within 24 hours. */
  readonly leftTodayCents: bigint
  readonly lastExecutionAt: number | undefined
}

/** What a strategy wants done: symbols and cents, no addresses and no calldata. */
export type Intention =
  | {
      readonly is: 'swap'
      readonly from: string
      readonly to: string
      readonly cents: bigint
      readonly because: string
    }
  | {
      readonly is: 'deposit' | 'withdraw'
      readonly asset: string
      readonly cents: bigint
      readonly because: string
    }

/** Nothing now. */
export type Wait = { readonly is: 'wait'; readonly because: string }

/** What a strategy answers. */
export type Decision = Intention | Wait

/** Decides what to do next. Whatever it answers is bounded by {@link boundDecision} before anything happens. */
export type Strategy = (view: View) => Promise<Decision>

/** Nothing, for a reason. */
export function wait(because: string): Wait {
  return { is: 'wait', because }
}

/** An intention in three words. */
export function summaryOf(intention: Intention): string {
  return intention.is === 'swap'
    ? `swap ${intention.from} to ${intention.to}`
    : `${intention.is} ${intention.asset}`
}
