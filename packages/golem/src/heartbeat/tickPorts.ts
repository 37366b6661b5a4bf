import type { BardoError, DailyCosts, PermissionState } from '@bardo/core'
import type { Hash } from 'viem'
import type { DeathFacts } from '../death/deathTrigger.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import type { HeartbeatSchedule } from '../heartbeatFile/heartbeatSchedule.ts'
import type { Feeling } from '../mood/mood.ts'
import type { ObserveReason } from '../recovery/recovery.ts'
import type { Intention, Strategy, View } from '../strategies/strategy.ts'
import type { GolemState, Pending, Publication } from './golemState.ts'
import type { HeartbeatStep } from './heartbeatStep.ts'
import type { PricePoint } from './volatility.ts'

/** All that a tick learns of the world, at one moment. */
export type Senses = {
  /** The chain's own time, in Unix seconds: what was signed is judged by it. */
  readonly at: number
  readonly economy: {
    readonly revenueCents: bigint
    readonly costs: DailyCosts
    readonly remainingCents: bigint
  }
  /** The other two clocks; 1 where nobody measures them. */
  readonly epistemic?: number
  readonly stochastic?: number
  readonly permission: PermissionState
  /** What the feeds say; an asset whose feed is silent is left out. */
  readonly prices: readonly Omit<PricePoint, 'at'>[]
  /** The Golem's row on the chain, and when it was written. */
  readonly shown: Publication & { readonly at: number }
  /** Dead-man's switch of the signed terms; 0 for none. */
  readonly graceSeconds: number
  /** How many of the owner's signatures its row has taken. */
  readonly ownerSignatures: number
  /** What keeps it from acting, though it can see. */
  readonly outage?: ObserveReason
  readonly fate: Pick<DeathFacts, 'killed' | 'revoked' | 'windowEnd' | 'calls' | 'constitutionChanged'>
  readonly view: Pick<View, 'plan' | 'holdings' | 'leftTodayCents' | 'lastExecutionAt'>
}

/** What a guard says: evaluated, simulated and permitted, or not. */
export type Guarded =
  | { readonly is: 'allowed'; readonly permitId: string; readonly valueCents: bigint }
  | { readonly is: 'refused'; readonly error: BardoError }

/** What became of an action. `onItsWay` is neither: it is asked for again at the next tick. */
export type ActResult =
  | {
      readonly is: 'landed'
      readonly transaction: Hash
      readonly spentCents: bigint
      readonly feeling?: Feeling
    }
  /** By the chain: which link, which caveat, which numbers. */
  | { readonly is: 'refused'; readonly error: BardoError }
  | { readonly is: 'onItsWay' }

/**
 * What a tick needs of the world. `publish` and `act` have their effect once for each intent id, however often they are
 * called: the journal sees to it.
 */
export type TickPorts = {
  readonly schedule: HeartbeatSchedule
  readonly strategy: Strategy
  sense(state: GolemState): Promise<Senses>
  publish(intentId: string, publication: Publication): Promise<void>
  guard(intentId: string, intention: Intention, tick: number): Promise<Guarded>
  /** An intent that the journal has is carried on, whatever became of its capability since. */
  act(pending: Pending, tick: number): Promise<ActResult>
  /**
   * Writes state and events together, if the stored version is the one before and the Golem is not dying: a slow worker
   * must not act for one that another has given up.
   */
  save(state: GolemState, events: readonly GolemEvent[]): Promise<boolean>
  /** From 0 to 1. */
  random(): number
  /** Hears which step begins. */
  onStep?(step: HeartbeatStep): void
}
