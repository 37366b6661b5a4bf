import type { Address } from 'viem'

type Entry = {
  readonly address: Address
  /** The package, its version and the export that the address was taken from. */
  readonly source: string
}

/** One address of the built-in address book of a chain. */
export type ProtocolAddress =
  | (Entry & {
      readonly type: 'contract'
      readonly name: 'swapRouter02' | 'universalRouter' | 'permit2' | 'positionManager' | 'uniswapV3Factory'
    })
  /** A token, by its symbol. */
  | (Entry & { readonly type: 'token'; readonly name: string; readonly decimals: number })
  /** The price feed of a token in dollars, with 8 decimals, by the token's symbol. */
  | (Entry & { readonly type: 'feed'; readonly name: string })
  /** The price feed of the native currency in dollars, with 8 decimals. */
  | (Entry & { readonly type: 'nativeFeed'; readonly name: string })
  /** Whether the sequencer of a rollup is up. */
  | (Entry & { readonly type: 'sequencerFeed'; readonly name: 'sequencerFeed' })
  /** A Uniswap V3 pool; the fee is in hundredths of a basis point. */
  | (Entry & { readonly type: 'pool'; readonly name: string; readonly fee: number })
