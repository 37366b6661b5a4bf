import type { TokenSymbol } from '../world/tokens.ts'

type Pool = {
  readonly base: TokenSymbol
  readonly quote: TokenSymbol
  /** Uniswap's fee in hundredths of a basis point, and its tick spacing. */
  readonly fee: number
  readonly tickSpacing: number
  /** Whole tokens on each side at the start; their ratio is the opening price. */
  readonly depth: { readonly base: bigint; readonly quote: bigint }
  /** Its name in the list of addresses. */
  readonly address: 'usdcWethPool' | 'wbtcWethPool'
}

/**
 * The two pools, each as "the price of base in quote". With 300 million dollars on each side, a trade of
 * 1,000 dollars moves the price by less than a thousandth of a percent.
 */
export const pools = {
  'WETH/USDC': {
    base: 'WETH',
    quote: 'USDC',
    fee: 500,
    tickSpacing: 10,
    depth: { base: 100_000n, quote: 300_000_000n },
    address: 'usdcWethPool',
  },
  'WBTC/WETH': {
    base: 'WBTC',
    quote: 'WETH',
    fee: 3000,
    tickSpacing: 60,
    depth: { base: 3_000n, quote: 90_000n },
    address: 'wbtcWethPool',
  },
} as const satisfies Record<string, Pool>

/** A pool by its price: `WETH/USDC` is the price of one WETH in USDC. */
export type Pair = keyof typeof pools

/** The number of prices that the TWAP keeps before the oldest is overwritten. */
export const observationSlots = 240
