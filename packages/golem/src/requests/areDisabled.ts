import type { Delegation } from '@bardo/core'
import { isEnded } from './isEnded.ts'
import type { RequestContext } from './requestContext.ts'

/**
 * Whether the chain shows all delegations as disabled, each directly or by another one of the list above it.
 * False for an
 * empty list, and while the chain cannot be reached.
 */
export async function areDisabled(
  context: Pick<RequestContext, 'client' | 'deployment'>,
  delegations: readonly Delegation[],
): Promise<boolean> {
  try {
    const ended = await Promise.all(
      delegations.map((delegation) => isEnded(context, delegation, delegations)),
    )
    return ended.length > 0 && ended.every((is) => is)
  } catch {
    return false
  }
}
