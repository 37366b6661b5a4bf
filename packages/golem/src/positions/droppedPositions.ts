import { type PermissionPlan, toCageTerms } from '@bardo/core'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { closesLiquidity, closesVault, type HeldPosition, leftPositions } from './heldPositions.ts'

/** The open positions that a Golem can close now and could not close under another plan. */
export async function droppedPositions(
  context: Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'book'>,
  permission: SignedPermission,
  plan: PermissionPlan,
): Promise<readonly HeldPosition[]> {
  if (plan.classes.length === 0) return []
  const { mandate, graceSeconds } = permission.terms
  const terms = toCageTerms({ ...plan, sections: {} }, context.book, {
    golem: context.id,
    account: mandate.account,
    graceSeconds,
  })
  const left = await leftPositions(context, permission)
  return left.filter(
    (position) =>
      position.managed === 'now' &&
      !(position.type === 'vault'
        ? closesVault(terms, position.vault)
        : closesLiquidity(terms, position.manager)),
  )
}
