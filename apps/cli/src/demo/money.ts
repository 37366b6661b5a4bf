/** Base units of a dollar of USDC. */
const unitsPerDollar = 1_000_000n

/** Dollars as base units of USDC. */
export function dollars(amount: number): bigint {
  return BigInt(amount) * unitsPerDollar
}

/** Base units of USDC as text: `$1,000` or `$0.50`; more decimals only if they are not zero. */
export function inDollars(units: bigint): string {
  const size = units < 0n ? -units : units
  const rest = `${size % unitsPerDollar}`.padStart(6, '0').replace(/0{0,4}$/, '')
  const whole = (size / unitsPerDollar).toLocaleString('en')
  return `${units < 0n ? '−' : ''}$${whole}${/^0*$/.test(rest) ? '' : `.${rest}`}`
}
