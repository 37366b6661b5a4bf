import { isDisabled } from '@bardo/chain'
import { type Delegation, hashDelegation } from '@bardo/core'
import type { RequestContext } from './requestContext.ts'

/**
 * Whether a delegation cannot execute any more: it, or one above it, is disabled. A redelegation by a key
 * that is wiped now
 * cannot be disabled by itself any more; it ends with the delegations above it.
 *
 * @param known - the delegations in which those above it are looked up
 */
export async function isEnded(
  context: Pick<RequestContext, 'client' | 'deployment'>,
  delegation: Delegation,
  delegations: readonly Delegation[],
): Promise<boolean> {
  if (await isDisabled(context, delegation)) return true
  const above = delegations.find((one) => hashDelegation(one) === delegation.authority)
  return above !== undefined && isEnded(context, above, delegations)
}
