import type { Delegation } from '@bardo/core'
import type { ToolContext } from '../tools/toolContext.ts'
import { isEnded } from './isEnded.ts'

/**
 * Whether the chain shows all of them as disabled, each itself or by another of them that is above it. Of none that is not
 * said, nor while the chain cannot be reached.
 */
export async function areDisabled(
  context: Pick<ToolContext, 'client' | 'deployment'>,
  delegations: readonly Delegation[],
): Promise<boolean> {
  try {
    const found = await Promise.all(
      delegations.map((delegation) => isEnded(context, delegation, delegations)),
    )
    return found.length > 0 && found.every((is) => is)
  } catch {
    return false
  }
}
