import { isDisabled } from '@bardo/chain'
import { type Delegation, hashDelegation } from '@bardo/core'
import type { ToolContext } from '../tools/toolContext.ts'

/**
 * Whether a delegation can execute no more: it is disabled, or one that it hangs below is. What a key handed on that has
 * been wiped since nobody can disable any more; it ends with what is above it.
 *
 * @param known - where those above it are found
 */
export async function isEnded(
  context: Pick<ToolContext, 'client' | 'deployment'>,
  delegation: Delegation,
  known: readonly Delegation[],
): Promise<boolean> {
  if (await isDisabled(context, delegation)) return true
  const above = known.find((one) => hashDelegation(one) === delegation.authority)
  return above !== undefined && isEnded(context, above, known)
}
