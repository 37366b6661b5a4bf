/** The three tokens of the world and their decimals. */
export const tokens = {
  USDC: { decimals: 6, address: 'usdc' },
  WETH: { decimals: 18, address: 'weth' },
  WBTC: { decimals: 8, address: 'wbtc' },
} as const

export type TokenSymbol = keyof typeof tokens

/** One whole token in base units: what a price is quoted for. */
export function oneOf(symbol: TokenSymbol): bigint {
  return 10n ** BigInt(tokens[symbol].decimals)
}
