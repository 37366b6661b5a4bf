import { BardoError, type Phase } from '@bardo/core'
import type { Hash } from 'viem'

/** A child that uses a share of its parent's runway. */
export type Replicant = {
  readonly id: string
  readonly delegationHash: Hash
  readonly dailyCents: bigint
  /** The last second of its life, in Unix seconds. */
  readonly expiresAt: bigint
  /** `ending`: its delegation is being disabled, and can still be used. */
  readonly status: 'living' | 'ending' | 'ended'
}

/** A Golem with its children. Plain data; all functions return a copy. */
export type Family = {
  readonly dailyCapCents: bigint
  /** The last second of the parent's own window. */
  readonly windowEnd: bigint
  readonly replicants: readonly Replicant[]
}

/** The parent's own daily amount: its cap minus every share that can still be used. */
export function ownDailyCents({ dailyCapCents, replicants }: Family, now: bigint): bigint {
  return replicants
    .filter(({ status, expiresAt }) => status !== 'ended' && now <= expiresAt)
    .reduce((left, { dailyCents }) => left - dailyCents, dailyCapCents)
}

/** Adds a child: within the parent's remaining amount and window, and only while the parent is thriving. */
export function addReplicant(
  family: Family,
  child: Omit<Replicant, 'status'>,
  phase: Phase,
  now: bigint,
): Family {
  const left = ownDailyCents(family, now)
  if (phase !== 'thriving') throw refuse('Only a thriving Golem can have Replicants.', [`phase: ${phase}`])
  if (family.replicants.some(({ id }) => id === child.id))
    throw refuse('The Replicant already exists.', [child.id])
  if (child.dailyCents <= 0n || child.dailyCents >= left)
    throw refuse('A Replicant’s daily amount must be a part of its parent’s.', [
      `requested: ${child.dailyCents} cents a day`,
      `left: ${left} cents a day`,
    ])
  if (child.expiresAt <= now || child.expiresAt > family.windowEnd)
    throw refuse('A Replicant must end before its parent.', [
      `requested end: ${child.expiresAt}`,
      `end of the parent: ${family.windowEnd}`,
    ])
  return { ...family, replicants: [...family.replicants, { ...child, status: 'living' }] }
}

/** Marks a child as ending, or as ended once its delegation is disabled. */
export function endReplicant(family: Family, id: string, status: 'ending' | 'ended'): Family {
  const order = ['living', 'ending', 'ended']
  const end = (child: Replicant): Replicant =>
    child.id === id && order.indexOf(status) > order.indexOf(child.status) ? { ...child, status } : child
  return { ...family, replicants: family.replicants.map(end) }
}

function refuse(message: string, details: readonly string[]): BardoError {
  return new BardoError(message, { code: 'ACTION_NOT_ALLOWED', details, docsPath: 'golem.md#replicants' })
}
