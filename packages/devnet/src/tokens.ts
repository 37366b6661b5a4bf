/** The three tokens of the world, their decimals, and their places in the list of addresses. */
export const tokens = {
  USDC: { decimals: 6, address: 'usdc', feed: 'usdcFeed' },
  WETH: { decimals: 18, address: 'weth', feed: 'wethFeed' },
  WBTC: { decimals: 8, address: 'wbtc', feed: 'wbtcFeed' },
} as const

export type TokenSymbol = keyof typeof tokens

/** One whole token in base units: what a price is quoted for. */
export function oneOf(symbol: TokenSymbol): bigint {
  return 10n ** BigInt(tokens[symbol].decimals)
}
