import type { Address } from 'viem'
import type { ChainState, HookContext } from '../caveatKind.ts'
import { planOf } from '../execution/actions.ts'
import { forbiddenTargetsAfterwards, type Plan } from '../execution/plan.ts'
import type { Mandate } from '../terms/mandate.ts'
import { overflow, refuse } from '../verdict/refuse.ts'

/** Who gets a share of what a sale brings in. */
export type Share = { readonly author: Address; readonly bps: number }

/** The plan as it is made once more after a sale, when the author is known. */
export function planForAuthor(
  context: HookContext,
  chain: ChainState,
  mandate: Mandate,
  author: Address,
): Plan {
  const { account } = mandate
  return planOf(context.execution, mandate, {
    chain,
    account,
    // Nobody sets it there, and zero is a place.
    settlement: 0,
    author: BigInt(author) === 0n ? undefined : author,
    isForbidden: forbiddenTargetsAfterwards(context, account),
  })
}

/** Refuses where the author got less than the share of what came in of an asset. */
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
  // What was paid out had to come from somewhere: proceeds do not shrink by being spent at once.
  const gross = brought > before ? brought - before : 0n
  const due = (gross * BigInt(bps) + 9_999n) / 10_000n
  const paid = plan.royalty[place] ?? 0n
  if (paid < due) refuse('RoyaltyUnpaid', token, gross, paid, due)
}
