/** The three tokens of the devnet, their decimals, and their names in the list of addresses. */
export const tokens = {
  USDC: { decimals: 6, address: 'usdc', feed: 'usdcFeed' },
  WETH: { decimals: 18, address: 'weth', feed: 'wethFeed' },
  WBTC: { decimals: 8, address: 'wbtc', feed: 'wbtcFeed' },
} as const

export type TokenSymbol = keyof typeof tokens

/** One whole token in base units: the amount that a price refers to. */
export function oneOf(symbol: TokenSymbol): bigint {
  return 10n ** BigInt(tokens[symbol].decimals)
}
