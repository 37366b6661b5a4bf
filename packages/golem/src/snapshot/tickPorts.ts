import type { BardoError, DailyCosts, DeathEvidence, PermissionState, Phase } from '@bardo/core'
import type { Hash } from 'viem'
import type { HeartbeatSchedule } from '../config/heartbeatSchedule.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import type { Feeling } from '../mood/mood.ts'
import type { ObserveReason } from '../observeOnly/observeOnly.ts'
import type { GolemState, Pending, Publication } from '../state/golemState.ts'
import type { HeartbeatStep } from '../state/heartbeatStep.ts'
import type { PricePoint } from '../state/volatility.ts'
import type { Intention, Spawn, Strategy, View } from '../strategy/strategy.ts'
import type { GasSeen } from './readSnapshot.ts'

/** Everything that a tick reads, at one moment. */
export type Senses = {
  /** The chain's time in Unix seconds: signed terms are judged by it. */
  readonly at: number
  readonly economy: {
    readonly revenueCents: bigint
    readonly costs: DailyCosts
    readonly remainingCents: bigint
  }
  /** The other two clocks. Default: 1, for a clock that is not measured. */
  readonly epistemic?: number
  readonly stochastic?: number
  readonly permission: PermissionState
  /** The delegation whose end is the end of the permission: the root, or a child's own. */
  readonly delegation: Hash
  /** The prices of the price feeds. An asset whose price feed has no usable price is left out. */
  readonly prices: readonly Omit<PricePoint, 'at'>[]
  /** The Golem's row on the chain, and when it was written. */
  readonly shown: Publication & { readonly at: number }
  /** Dead-man's switch of the signed terms; 0 for none. */
  readonly graceSeconds: number
  /** The number of owner signatures that the Golem's row has accepted. */
  readonly ownerSignatures: number
  /**
   * The owner signed again, or the key changed, since the signed permission was read: nothing is judged by
   * it.
   */
  readonly isStale?: boolean
  /** Why the Golem cannot act, although it can observe. */
  readonly outage?: ObserveReason
  /** The kill switch and missed ticks are not here: each begins a death by itself. */
  readonly fate: Pick<
    Required<DeathEvidence>,
    'revocation' | 'isOrphan' | 'windowEnd' | 'calls' | 'constitutionChanged'
  >
  readonly view: Pick<
    View,
    | 'plan'
    | 'holdings'
    | 'leftTodayCents'
    | 'lastExecutionAt'
    | 'constitution'
    | 'replicants'
    | 'liquidity'
    | 'windDown'
    | 'bought'
  >
  /** What a gas draw depends on; left out if no gas is signed. */
  readonly gas?: GasSeen
}

/** Whether an intention may be carried out: evaluated, simulated and given a capability, or refused. */
export type Authorized =
  | { readonly type: 'allowed'; readonly capabilityId: string; readonly valueCents: bigint }
  | { readonly type: 'refused'; readonly error: BardoError }

/** The outcome of an action. `onItsWay` means that it is not known yet: the next tick asks again. */
export type ActResult =
  | {
      readonly type: 'landed'
      readonly transaction: Hash
      readonly spentCents: bigint
      readonly feeling?: Feeling
    }
  /** Refused by the chain: the error names the link, the caveat and the numbers. */
  | { readonly type: 'refused'; readonly error: BardoError }
  | {
      readonly type: 'onItsWay'
      /** What it waits for, other than its transaction. */
      readonly because?: string
    }

/** What a tick knows when it decides about gas. */
export type GasNeed = {
  readonly seen: GasSeen
  readonly phase: Phase
  /** Gas counts towards the signed limits in dollars. */
  readonly leftTodayCents: bigint
}

/** Drawn gas, in wei. */
export type Refuelled = { readonly amountWei: bigint; readonly transaction: Hash }

/** What a tick does with its session key. */
export type KeySteps = {
  /**
   * Begins a rotation if the policy requires one. During a suspected rotation the senses report that no key
   * is usable.
   */
  rotateIfDue(senses: Senses, state: GolemState): Promise<Senses>
  /** Asks the owner for repairs that only the owner can make: a key that the chain refuses, or gas. */
  fileRequests(tick: number, events: readonly GolemEvent[]): Promise<void>
  /** The key's own events: a signed operation, a low budget. */
  keyEvents(senses: Senses, events: readonly GolemEvent[]): readonly GolemEvent[]
  /** Counts the operations of the key and their value. */
  countUses(events: readonly GolemEvent[]): Promise<void>
}

/**
 * The effects that a tick needs. `publish` and `execute` take effect once for each intent id, however often
 * they are called: the journal ensures it.
 */
export type TickPorts = {
  readonly schedule: HeartbeatSchedule
  readonly strategy: Strategy
  sense(state: GolemState): Promise<Senses>
  /** Left out if keys are never rotated. */
  readonly keys?: KeySteps
  /** Whether the owner signed again, or the key changed, since the permission of these ports was loaded. */
  isReplaced?(): Promise<boolean>
  /** Whether the owner paused the Golem: it begins no action. */
  isPaused?(): Promise<boolean>
  publish(intentId: string, publication: Publication): Promise<void>
  /** Draws gas for the key if it runs low. Left out if the key pays nothing. */
  refuel?(intentId: string, need: GasNeed): Promise<Refuelled | undefined>
  authorize(intention: Intention, tick: number): Promise<Authorized>
  /**
   * Creates a Replicant, or finishes one whose creation was interrupted. Returns why it is refused; the event of a new
   * one is recorded with it.
   */
  spawn(wanted: Spawn): Promise<BardoError | undefined>
  /**
   * Executes the pending action. An intent that is already in the journal continues, even if its capability
   * has expired since.
   */
  execute(pending: Pending, tick: number): Promise<ActResult>
  /**
   * Writes state and events together, if the stored version is the previous one and the Golem is not dying: a
   * slow worker must not act for a Golem whose death another worker has begun.
   */
  save(state: GolemState, events: readonly GolemEvent[]): Promise<boolean>
  /** From 0 to 1. */
  random(): number
  /** Called at the beginning of each step. */
  onStep?(step: HeartbeatStep): void
}
