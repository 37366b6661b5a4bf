import { BardoError } from '@bardo/core'
import type { Address } from 'viem'
import { createDevnetClient } from './devnetClient.ts'
import { postPrice } from './feeds.ts'
import { type Funds, fund } from './fund.ts'
import type { TokenSymbol } from './tokens.ts'
import { movePrice } from './uniswap/movePrice.ts'
import { poolPrice, readPool } from './uniswap/poolPrice.ts'
import type { Pair } from './uniswap/pools.ts'
import type { WorldDescription } from './worldDescription.ts'

/**
 * Takes hold of a running world by its description: a client, and the levers that only a local world has.
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

    /** Lets time pass: the next block, mined at once, is `seconds` later. Returns its timestamp. */
    async warp(seconds: number): Promise<bigint> {
      if (!Number.isSafeInteger(seconds) || seconds <= 0)
        throw new BardoError('Time passes forward, in whole seconds.', {
          code: 'INVALID_INPUT',
          details: [`asked for ${seconds}`],
        })
      await client.increaseTime({ seconds })
      await client.mine({ blocks: 1 })
      return (await client.getBlock()).timestamp
    },

    /** The price of a pair's base token in base units of its quote token, by the pool's spot. */
    async price(pair: Pair): Promise<bigint> {
      return poolPrice(pair, await readPool(client, addresses, pair))
    },

    /** Moves a pool's spot price by a real trade; see {@link movePrice}. */
    movePrice: (pair: Pair, price: bigint) => movePrice(client, addresses, pair, price),

    /** Posts a price to a token's feed, in dollars with eight decimals; the pools stay where they are. */
    postPrice: (token: TokenSymbol, answer: bigint) => postPrice(client, addresses, token, answer),

    /** Gives an account ETH and tokens, on top of what it has. */
    fund: (to: Address, funds: Funds) => fund(client, addresses, to, funds),
  }
}

/** A hold on a running world. */
export type DevnetConnection = ReturnType<typeof connectDevnet>
