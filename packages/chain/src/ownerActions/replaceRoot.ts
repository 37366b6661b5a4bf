import {
  BardoError,
  caveatRegistry,
  type Delegation,
  hashDelegation,
  type ReplacementOrder,
  replacementOrder,
} from '@bardo/core'
import { isDisabled, type OwnerSigner, revoke } from './revoke.ts'

/**
 * Replaces a root with a new one of the same lineage, to feed a Golem or to adjust its limits. After a crash,
 * call it again: it continues.
 *
 * @param hand - stores the new root where its Golem reads it; must be idempotent
 */
export async function replaceRoot(
  signer: OwnerSigner,
  {
    old,
    next,
    hand,
    expiresAt,
  }: {
    readonly old: Delegation
    readonly next: Delegation
    readonly hand: (root: Delegation) => Promise<void>
    /** Unix seconds, for the event. */
    readonly expiresAt: bigint
  },
): Promise<ReplacementOrder> {
  const order = replacementOrder(old, next, signer.deployment)
  const hash = hashDelegation(next)
  if (hash === hashDelegation(old) || (await isDisabled(signer, next)))
    throw new BardoError('The new root is the old one, or it is already revoked.', {
      code: 'INVALID_INPUT',
      details: [`root ${hash}`],
      remedy: 'Sign it with another salt.',
      docsPath: 'redeeming.md#feeding-and-adjusting',
    })
  const end = () => revoke(signer, { delegation: old, cause: 'replaced' })
  if (order.type === 'disable-first') await end()
  await hand(next)
  announceGrant(signer, next, expiresAt)
  if (order.type === 'disable-after') await end()
  return order
}

/** Emits the events of a granted root, for custody and for session keys. */
export function announceGrant(
  { onEvent, deployment }: Pick<OwnerSigner, 'onEvent' | 'deployment'>,
  root: Delegation,
  expiresAt: bigint,
): void {
  const delegationHash = hashDelegation(root)
  const registry = caveatRegistry(deployment)
  const caveats = root.caveats.map(({ enforcer }) => registry(enforcer)?.name ?? enforcer)
  onEvent?.({ name: 'custody.delegationGranted', delegationHash, caveats, expiresAt })
  onEvent?.({ name: 'sessionKey.delegationGranted', delegationHash, caveats })
}
