import { BardoError } from '@bardo/core'
import type { Address } from 'viem'
import { postPrice } from './feeds.ts'
import { movePrice } from './uniswap/movePrice.ts'
import { poolPrice, readPool } from './uniswap/poolPrice.ts'
import type { Pair } from './uniswap/pools.ts'
import { createDevnetClient } from './world/devnetClient.ts'
import { type Funds, fund } from './world/fund.ts'
import type { TokenSymbol } from './world/tokens.ts'
import type { WorldDescription } from './world/worldDescription.ts'

/**
 * Connects to a running devnet by its description: a client, and the functions that only a devnet has.
 *
 * @example
 * const world = connectDevnet(JSON.parse(await readFile('devnet.json', 'utf8')))
 * await world.movePrice('WETH/USDC', parseUnits('2500', 6))
 * await world.warp(3600)
 */
export function connectDevnet(description: WorldDescription) {
  const client = createDevnetClient(description.url)
  const { addresses } = description

  return {
    ...description,
    client,
    chain: client.chain,

    /** Moves time forward: the next block, mined at once, is `seconds` later. Returns its timestamp. */
    async warp(seconds: number): Promise<bigint> {
      if (!Number.isSafeInteger(seconds) || seconds <= 0)
        throw new BardoError('Time can only move forward, in whole seconds.', {
          code: 'INVALID_INPUT',
          details: [`requested: ${seconds}`],
        })
      await client.increaseTime({ seconds })
      await client.mine({ blocks: 1 })
      return (await client.getBlock()).timestamp
    },

    /** The price of a pair's base token in base units of its quote token, from the pool's spot price. */
    async price(pair: Pair): Promise<bigint> {
      return poolPrice(pair, await readPool(client, addresses, pair))
    },

    /** Moves a pool's spot price with a real trade; see {@link movePrice}. */
    movePrice: (pair: Pair, price: bigint) => movePrice(client, addresses, pair, price),

    /** Posts a price to a token's price feed, in dollars with eight decimals; the pools do not change. */
    postPrice: (token: TokenSymbol, answer: bigint) => postPrice(client, addresses, token, answer),

    /** Adds ETH and tokens to an account. */
    fund: (to: Address, funds: Funds) => fund(client, addresses, to, funds),
  }
}

/** A connection to a running devnet. */
export type DevnetConnection = ReturnType<typeof connectDevnet>
