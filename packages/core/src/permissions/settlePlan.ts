import { leastOf } from './leastOf.ts'
import type { PermissionPlan, PlanGas } from './permissionPlan.ts'
import { defaultGasShareBps } from './planLimits.ts'

/** What the chain shows when an owner signs. */
export type SigningMoment = {
  /** The value of the plan's assets in the account, and of its vault shares. */
  readonly portfolioCents?: bigint | undefined
  /** The price of one whole unit of the native currency; undefined without a price feed. */
  readonly nativeCents?: bigint | undefined
}

/**
 * Turns what the terms cannot hold into numbers: shares of the portfolio into dollars, rounded down, and the
 * default gas into an amount. It never widens a plan. The numbers stay until the owner signs another strategy.
 *
 * @example
 * toCageTerms(settlePlan(plan, { portfolioCents: 1_000_000n, nativeCents: 400_000n }), book, subject)
 */
export function settlePlan(plan: PermissionPlan, moment: SigningMoment): PermissionPlan {
  const { sizeShares, gas, ...others } = plan.sections
  const { portfolioCents, nativeCents } = moment
  const amount = gas && settledGas(gas, plan.dayCents, nativeCents)
  const [thriving, stable, conservation, declining, terminal] = plan.sizeCents
  const within = (cents: bigint, phase: number) => {
    const bps = sizeShares?.bps[phase]
    if (bps === undefined || portfolioCents === undefined) return cents
    return leastOf(cents, wholeDollars((portfolioCents * BigInt(bps)) / 10_000n))
  }
  return {
    ...plan,
    sizeCents: [
      within(thriving, 0),
      within(stable, 1),
      within(conservation, 2),
      within(declining, 3),
      within(terminal, 4),
    ],
    sections: {
      ...others,
      ...(sizeShares && {
        sizeShares: { ...sizeShares, ...(portfolioCents !== undefined && { portfolioCents }) },
      }),
      ...(amount && { gas: amount }),
    },
  }
}

/** The default is a share of the daily limit at most: undefined if its price is unknown. */
function settledGas(gas: PlanGas, dayCents: bigint, nativeCents: bigint | undefined): PlanGas | undefined {
  if (!gas.isDefault) return gas
  if (nativeCents === undefined || nativeCents <= 0n) return undefined
  const microEther = (dayCents * defaultGasShareBps * 1_000_000n) / (10_000n * nativeCents)
  const microEtherPerDay = leastOf(gas.microEtherPerDay, microEther)
  return microEtherPerDay > 0n ? { microEtherPerDay } : undefined
}

/** As it is signed: a size is a whole number of dollars. */
function wholeDollars(cents: bigint): bigint {
  return (cents / 100n) * 100n
}
