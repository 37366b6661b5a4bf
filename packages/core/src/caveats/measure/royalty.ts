import type { Address } from 'viem'
import type { ChainState, HookContext } from '../caveatKind.ts'
import { planOf } from '../execution/actions.ts'
import { forbiddenTargetsAfterwards, type Plan } from '../execution/plan.ts'
import type { Mandate } from '../terms/mandate.ts'
import { overflow, refuse } from '../verdict/refuse.ts'

/** The author who gets a share of a sale's proceeds. */
export type Share = { readonly author: Address; readonly bps: number }

/** The plan, built again after a sale with the author known. */
export function planForAuthor(
  context: HookContext,
  chain: ChainState,
  mandate: Mandate,
  author: Address,
): Plan {
  const { account } = mandate
  return planOf(context.execution, mandate, {
    chain,
    rules: context.rules,
    account,
    // The contract does not set it here, so it is zero, which is a valid index.
    settlement: 0,
    author: BigInt(author) === 0n ? undefined : author,
    gasTo: undefined,
    isForbidden: forbiddenTargetsAfterwards(context, account),
  })
}

/** Refuses if the author got less than the share of an asset's proceeds. */
export function requireRoyalty(
  plan: Plan,
  place: number,
  token: Address,
  before: bigint,
  now: bigint,
  bps: number,
): void {
  const brought = now + (plan.out[place] ?? 0n)
  if (brought >= 2n ** 256n) overflow()
  // Add back what was paid out: spending the proceeds in the same execution must not reduce the share.
  const gross = brought > before ? brought - before : 0n
  const due = (gross * BigInt(bps) + 9_999n) / 10_000n
  const paid = plan.royalty[place] ?? 0n
  if (paid < due) refuse('RoyaltyUnpaid', token, gross, paid, due)
}
