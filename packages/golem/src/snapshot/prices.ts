import type { Asset } from '@bardo/core'

/** The value of an amount in millionths of a dollar, rounded down, as the Cage adds up a portfolio. */
export function microsOf(amount: bigint, price: bigint, { scale }: Asset): bigint {
  return (amount * price * 1_000_000n) / 10n ** BigInt(scale)
}

/** The value of an amount in cents, rounded down. */
export function centsOf(amount: bigint, price: bigint, { scale }: Asset): bigint {
  return (amount * price * 100n) / 10n ** BigInt(scale)
}

/** The value of an amount in cents, rounded up: against the spender. */
export function centsUpOf(amount: bigint, price: bigint, { scale }: Asset): bigint {
  const unit = 10n ** BigInt(scale)
  return (amount * price * 100n + unit - 1n) / unit
}

/** The amount of an asset that `cents` buy, rounded down. */
export function amountOf(cents: bigint, price: bigint, { scale }: Asset): bigint {
  return (cents * 10n ** BigInt(scale)) / (price * 100n)
}
