import { BardoError, type Phase } from '@bardo/core'
import type { Hash } from 'viem'

/** A child that lives on a share of its parent's runway. */
export type Replicant = {
  readonly id: string
  readonly delegationHash: Hash
  readonly dailyCents: bigint
  /** Unix seconds, its last. */
  readonly expiresAt: bigint
  /** `ending`: its delegation is being disabled, and may still be drawn on. */
  readonly status: 'living' | 'ending' | 'ended'
}

/** A Golem with its children. Plain data; all functions return a new one. */
export type Family = {
  readonly dailyCapCents: bigint
  /** The last second of the parent's own window. */
  readonly windowEnd: bigint
  readonly replicants: readonly Replicant[]
}

/** What a parent has left for itself each day: its cap less every share that could still be drawn. */
export function ownDailyCents({ dailyCapCents, replicants }: Family, now: bigint): bigint {
  return replicants
    .filter(({ status, expiresAt }) => status !== 'ended' && now <= expiresAt)
    .reduce((left, { dailyCents }) => left - dailyCents, dailyCapCents)
}

/** The family with one more child: from what the parent has left, within the parent's time, and only while it thrives. */
export function addReplicant(
  family: Family,
  child: Omit<Replicant, 'status'>,
  phase: Phase,
  now: bigint,
): Family {
  const left = ownDailyCents(family, now)
  if (phase !== 'thriving') throw refuse('Only a thriving Golem has children.', [`it is ${phase}`])
  if (family.replicants.some(({ id }) => id === child.id))
    throw refuse('That child is there already.', [child.id])
  if (child.dailyCents <= 0n || child.dailyCents >= left)
    throw refuse('A child lives on a part of its parent’s runway.', [
      `${child.dailyCents} cents a day asked for`,
      `${left} left`,
    ])
  if (child.expiresAt <= now || child.expiresAt > family.windowEnd)
    throw refuse('A child lives within its parent’s time.', [
      `it would end at ${child.expiresAt}`,
      `the parent ends at ${family.windowEnd}`,
    ])
  return { ...family, replicants: [...family.replicants, { ...child, status: 'living' }] }
}

/** The family in which one child is ending, or, once its delegation is disabled, has ended. Nobody else changes. */
export function endReplicant(family: Family, id: string, status: 'ending' | 'ended'): Family {
  const order = ['living', 'ending', 'ended']
  const end = (child: Replicant): Replicant =>
    child.id === id && order.indexOf(status) > order.indexOf(child.status) ? { ...child, status } : child
  return { ...family, replicants: family.replicants.map(end) }
}

function refuse(message: string, details: readonly string[]): BardoError {
  return new BardoError(message, { code: 'ACTION_NOT_ALLOWED', details, docsPath: 'golem.md#replicants' })
}
