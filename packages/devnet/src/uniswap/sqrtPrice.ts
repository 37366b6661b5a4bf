/** The largest integer whose square is at most `value`, by Newton's method. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value
  // From any start at or above the root, the value falls monotonically towards it.
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** The Uniswap V3 price at which `amount0` of token0 is worth `amount1` of token1, both in base units. */
export function sqrtPriceX96(amount0: bigint, amount1: bigint): bigint {
  return squareRoot((amount1 << 192n) / amount0)
}

/** The worth of `amount0` of token0 in token1 at a Uniswap V3 price, rounded down. */
export function worthOfToken0(amount0: bigint, sqrtPrice: bigint): bigint {
  return (amount0 * sqrtPrice * sqrtPrice) >> 192n
}

/** The worth of `amount1` of token1 in token0 at a Uniswap V3 price, rounded down. */
export function worthOfToken1(amount1: bigint, sqrtPrice: bigint): bigint {
  return (amount1 << 192n) / (sqrtPrice * sqrtPrice)
}
