import { type AddressBook, BardoError, leastOf, type PermissionPlan, toCageTerms } from '@bardo/core'
import { type Address, isAddressEqual, zeroAddress, zeroHash } from 'viem'

/** What a local key's delegation lets through. */
export type PlanBounds = {
  readonly targets: readonly Address[]
  /** Unix seconds, inclusive. */
  readonly end: bigint
  readonly dayCents: bigint
  readonly calls: number
}

/** A plan within bounds that know nothing of it. A contract that it needs and they do not allow stops it here. */
export function boundPlan(plan: PermissionPlan, book: AddressBook, bounds: PlanBounds): PermissionPlan {
  const { mandate } = toCageTerms(plan, book, { golem: zeroHash, account: zeroAddress, graceSeconds: 0 })
  const forbidden = mandate.targets.filter(
    ({ address }) => !bounds.targets.some((allowed) => isAddressEqual(allowed, address)),
  )
  if (forbidden.length > 0)
    throw new BardoError('The strategy needs contracts that the local key’s bounds do not allow.', {
      code: 'CONFIG_INVALID',
      details: forbidden.map(({ address }) => address),
      remedy: 'Add them to allowed_targets, or change the strategy.',
      docsPath: 'golem.md#wallets',
    })
  const least = (cents: bigint) => leastOf(cents, bounds.dayCents)
  const [first, second, third, fourth, fifth] = plan.sizeCents
  return {
    ...plan,
    dayCents: least(plan.dayCents),
    sizeCents: [least(first), least(second), least(third), least(fourth), least(fifth)],
    calls: plan.calls === 0 ? bounds.calls : Math.min(plan.calls, bounds.calls),
    window: { start: plan.window.start, end: leastOf(plan.window.end, bounds.end) },
  }
}
