import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import { eventToJson } from '../events/eventToJson.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { endReplicant, ownDailyCents } from '../state/family.ts'
import { changeFamily, type StoredFamily } from '../state/storedFamily.ts'
import { familyOf } from './readFunding.ts'

/** A child that ends or has ended, and the terms of the root above it. */
type EndedShare = {
  readonly parent: Hash
  readonly child: Hash
  readonly permission: Pick<SignedPermission, 'terms'>
}

/**
 * Returns the share of a child to its parent. Call it only when the chain refuses the child's delegation: before,
 * the child and its parent could spend the same amount. A second call changes nothing.
 *
 * @param now - Unix seconds
 */
export async function returnShare(
  store: Pick<Store, 'transaction'>,
  { parent, child, permission }: EndedShare,
  now: bigint,
): Promise<void> {
  await changeFamily(store, parent, async (before, { record }) => {
    const isNew = before.replicants.some((one) => one.id === child && one.status !== 'ended')
    const after = markChild({ permission, child }, before, 'ended')
    const parentDailyCents = ownDailyCents(familyOf(permission, after), now)
    const ended = { name: 'replicant.ended', replicant: child, parentDailyCents } as const
    if (isNew) record([{ golem: parent, name: ended.name, body: eventToJson(ended) }])
    return after
  })
}

/** A family in which one child ends, or has ended. */
export function markChild(
  { permission, child }: Omit<EndedShare, 'parent'>,
  family: StoredFamily,
  status: 'ending' | 'ended',
): StoredFamily {
  const { replicants } = endReplicant(familyOf(permission, family), child, status)
  const statusOf = (one: Hash) => replicants.find((other) => other.id === one)?.status
  return {
    ...family,
    replicants: family.replicants.map((one) => ({ ...one, status: statusOf(one.id) ?? one.status })),
  }
}
