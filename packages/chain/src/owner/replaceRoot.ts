import { BardoError, type Delegation, hashDelegation } from '@bardo/core'
import { caveatRegistry } from '../deployments/registry.ts'
import { type ReplacementOrder, replacementOrder } from './replacementOrder.ts'
import { isDisabled, type OwnerDesk, revoke } from './revoke.ts'

/**
 * Feeding and adjusting: a new root of the same lineage in the place of the old one. Calling it again after a crash
 * carries it on.
 *
 * @param hand - puts the new root where its Golem finds it; doing so twice must be the same as once
 */
export async function replaceRoot(
  desk: OwnerDesk,
  {
    old,
    next,
    hand,
    expiresAt,
  }: {
    readonly old: Delegation
    readonly next: Delegation
    readonly hand: (root: Delegation) => Promise<void>
    /** Unix seconds, for whoever hears of it. */
    readonly expiresAt: bigint
  },
): Promise<ReplacementOrder> {
  const order = replacementOrder(old, next, desk.deployment)
  const hash = hashDelegation(next)
  if (hash === hashDelegation(old) || (await isDisabled(desk, next)))
    throw new BardoError('The new root is the old one, or it is off already.', {
      code: 'INVALID_INPUT',
      details: [`root ${hash}`],
      remedy: 'Sign it with another salt.',
      docsPath: 'redeeming.md#feeding-and-adjusting',
    })
  const end = () => revoke(desk, { delegation: old, cause: 'replaced' })
  if (order.is === 'disable-first') await end()
  await hand(next)
  announceGrant(desk, next, expiresAt)
  if (order.is === 'disable-after') await end()
  return order
}

/** Tells both audiences that a root was granted. */
export function announceGrant(
  { onEvent, deployment }: Pick<OwnerDesk, 'onEvent' | 'deployment'>,
  root: Delegation,
  expiresAt: bigint,
): void {
  const delegationHash = hashDelegation(root)
  const registry = caveatRegistry(deployment)
  const caveats = root.caveats.map(({ enforcer }) => registry(enforcer)?.name ?? enforcer)
  onEvent?.({ name: 'custody.delegationGranted', delegationHash, caveats, expiresAt })
  onEvent?.({ name: 'sessionKey.delegationGranted', delegationHash, caveats })
}
