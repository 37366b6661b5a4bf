import { isDisabled } from '@bardo/chain'
import type { Delegation } from '@bardo/core'
import type { ToolContext } from '../tools/toolContext.ts'

/** Whether the chain shows all of them as disabled. Of none that is not said, nor while the chain cannot be reached. */
export async function areDisabled(
  context: Pick<ToolContext, 'client' | 'deployment'>,
  delegations: readonly Delegation[],
): Promise<boolean> {
  try {
    const found = await Promise.all(delegations.map((delegation) => isDisabled(context, delegation)))
    return found.length > 0 && found.every((is) => is)
  } catch {
    return false
  }
}
