import { type AddressBook, leastOf, type PermissionPlan } from '@bardo/core'

/** The limits of a local key's delegation. */
export type PlanBounds = {
  /** The signed addresses. */
  readonly book: AddressBook
  /** Unix seconds, inclusive. */
  readonly end: bigint
  readonly dayCents: bigint
  readonly calls: number
  /** The maximum slippage of the signed caveat; undefined for version 0.1, which signed none. */
  readonly slippageBps: number | undefined
}

/**
 * Narrows a plan to limits that were not compiled from it: parts that the limits do not allow are dropped.
 */
export function boundPlan(plan: PermissionPlan, bounds: PlanBounds): PermissionPlan {
  const { assets, vaults, pools, contracts } = bounds.book
  const symbols = [...assets.keys()]
  const least = (cents: bigint) => leastOf(cents, bounds.dayCents)
  const [first, second, third, fourth, fifth] = plan.sizeCents
  const { settlement, slippageBps } = plan
  return {
    ...plan,
    assets: symbols,
    pairs: plan.pairs.filter(({ from, to }) => assets.has(from) && assets.has(to)),
    targets: plan.targets.filter((target) => {
      if (target.role === 'vault') return vaults.has(target.asset)
      if (target.role === 'pool') return pools.has(target.assets.join('/'))
      return target.role !== 'sale' && target.role !== 'publish' && contracts[target.role] !== undefined
    }),
    payees: [],
    dayCents: least(plan.dayCents),
    sizeCents: [least(first), least(second), least(third), least(fourth), least(fifth)],
    slippageBps: Math.min(slippageBps, bounds.slippageBps ?? slippageBps),
    calls: plan.calls === 0 ? bounds.calls : Math.min(plan.calls, bounds.calls),
    window: { start: plan.window.start, end: leastOf(plan.window.end, bounds.end) },
    settlement: settlement !== undefined && assets.has(settlement) ? settlement : undefined,
    sections: {},
  }
}
