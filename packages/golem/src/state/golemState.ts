import type { PermissionHealth, Phase } from '@bardo/core'
import { awake, type Dream } from '../dreams/dream.ts'
import { calm, type Mood, type Pad } from '../mood/mood.ts'
import type { Recovery } from '../observeOnly/observeOnly.ts'
import type { Intention } from '../strategy/strategy.ts'
import type { PricePoint } from './volatility.ts'

/** What a Golem published on the chain. */
export type Publication = {
  readonly phase: Phase
  readonly survivalScore: number
  readonly dreaming: boolean
  readonly mood: Pad
}

/** An allowed action whose outcome is not known yet. It is finished before a new one begins. */
export type Pending = {
  readonly intentId: string
  readonly intention: Intention
  readonly capabilityId: string
  readonly valueCents: bigint
}

/** A Golem's state between two ticks. Plain data: any worker can continue with it. Times are Unix seconds. */
export type GolemState = {
  readonly golem: string
  /** The number of completed ticks. */
  readonly tick: number
  readonly phase: Phase
  /** The last survival score, 0 to 10,000. */
  readonly survivalScore: number
  readonly recovery: Recovery
  readonly dream: Dream
  readonly mood: Mood
  readonly health: PermissionHealth | undefined
  /** The end of the permission, in Unix seconds, that its owner was warned of a day before. */
  readonly warnedEnd: number | undefined
  readonly pending: Pending | undefined
  /** The times of refusals by the chain within the last day. */
  readonly chainRefusals: readonly number[]
  /** The remembered feed prices. */
  readonly prices: readonly PricePoint[]
  /** The number of owner signatures that its row had consumed. */
  readonly ownerSignatures: number
  readonly nextTickAt: number
  /** The planned interval of the next tick; the unit of missed ticks. */
  readonly intervalSeconds: number
  /** Counts the writes: each requires the previous version. */
  readonly version: number
}

/** A Golem before its first tick. */
export function newGolem(golem: string, now: number, intervalSeconds: number): GolemState {
  return {
    golem,
    tick: 0,
    phase: 'thriving',
    survivalScore: 10_000,
    recovery: { type: 'acting' },
    dream: awake(now),
    mood: { ...calm, at: now },
    health: undefined,
    warnedEnd: undefined,
    pending: undefined,
    chainRefusals: [],
    prices: [],
    ownerSignatures: 0,
    nextTickAt: now,
    intervalSeconds,
    version: 0,
  }
}
