/** Base units of a dollar of USDC. */
const unitsPerDollar = 1_000_000n

/** Dollars as base units of USDC. */
export function dollars(amount: number): bigint {
  return BigInt(amount) * unitsPerDollar
}

/** Base units of USDC as a person writes them: `$1,000` or `$0.50`; more digits only where there are any. */
export function inDollars(units: bigint): string {
  const size = units < 0n ? -units : units
  const rest = `${size % unitsPerDollar}`.padStart(6, '0').replace(/0{0,4}$/, '')
  const whole = (size / unitsPerDollar).toLocaleString('en')
  return `${units < 0n ? '−' : ''}$${whole}${/^0*$/.test(rest) ? '' : `.${rest}`}`
}
