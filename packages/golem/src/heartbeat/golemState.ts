import type { PermissionHealth, Phase } from '@bardo/core'
import { awake, type Dream } from '../dreams/dream.ts'
import { calm, type Mood, type Pad } from '../mood/mood.ts'
import type { Recovery } from '../recovery/recovery.ts'
import type { Intention } from '../strategies/strategy.ts'
import type { PricePoint } from './volatility.ts'

/** What the chain shows of a Golem. */
export type Publication = {
  readonly phase: Phase
  readonly survivalScore: number
  readonly dreaming: boolean
  readonly mood: Pad
}

/** An action that was decided and allowed, and is not known to have ended. It is finished before anything new is. */
export type Pending = {
  readonly intentId: string
  readonly intention: Intention
  readonly permitId: string
  readonly valueCents: bigint
}

/** A living Golem between two ticks. Plain data: any worker can go on with it. Times are Unix seconds. */
export type GolemState = {
  readonly golem: string
  /** Ticks that are behind it. */
  readonly tick: number
  readonly phase: Phase
  /** What it was judged to be last, 0 to 10,000. */
  readonly survivalScore: number
  readonly recovery: Recovery
  readonly dream: Dream
  readonly mood: Mood
  readonly health: PermissionHealth | undefined
  readonly pending: Pending | undefined
  /** When the chain refused it, within the last day. */
  readonly chainRefusals: readonly number[]
  /** What it remembers of the feeds. */
  readonly prices: readonly PricePoint[]
  /** How many of the owner's signatures its row had taken. */
  readonly ownerSignatures: number
  readonly nextTickAt: number
  /** What the next tick was expected to take; what missed ticks are counted in. */
  readonly intervalSeconds: number
  /** Counts the writes: each is made on condition that it is the next. */
  readonly version: number
}

/** A Golem before its first tick. */
export function newGolem(golem: string, now: number, intervalSeconds: number): GolemState {
  return {
    golem,
    tick: 0,
    phase: 'thriving',
    survivalScore: 10_000,
    recovery: { is: 'acting' },
    dream: awake(now),
    mood: { ...calm, at: now },
    health: undefined,
    pending: undefined,
    chainRefusals: [],
    prices: [],
    ownerSignatures: 0,
    nextTickAt: now,
    intervalSeconds,
    version: 0,
  }
}
