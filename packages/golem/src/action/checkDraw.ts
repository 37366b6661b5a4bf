import { BardoError } from '@bardo/core'
import { type Address, isAddressEqual } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { checkFlows } from './checkConstitution.ts'
import { isViolation } from './isViolation.ts'
import type { Acting } from './previewIntention.ts'
import { recordRefusal } from './recordRefusal.ts'

/**
 * Checks a draw on the runway against the owner's constitution. It counts as spending, since the owner pays it, and as a
 * growth of the account that gets it. The grant has its own caveats on the chain, without a constitution: this check is
 * the runtime's. A refusal is recorded like that of an action.
 */
export async function checkDraw(
  acting: Acting,
  context: Pick<GolemParts, 'client' | 'deployment' | 'book'>,
  permission: SignedPermission,
  { token, amount }: { readonly token: Address; readonly amount: bigint },
): Promise<void> {
  if (permission.terms.constitution === undefined) return
  const known = [...permission.terms.mandate.assets, ...context.book.assets.values()]
  const asset = known.find((one) => isAddressEqual(one.token, token))
  if (!asset)
    throw new BardoError('The constitution cannot be checked for a token without a price.', {
      code: 'PRICE_UNUSABLE',
      details: [token],
      remedy: 'Add the token to the address book.',
      docsPath: 'permissions.md#the-constitution',
    })
  const flow = { asset, amount }
  try {
    await checkFlows(context, permission, { to: flow, spends: flow, isClosing: false })
  } catch (error) {
    if (error instanceof BardoError && isViolation(error))
      await recordRefusal(acting, `draw ${amount} of ${token}`, error)
    throw error
  }
}
