import { isAddressEqual } from 'viem'
import type { DevnetClient } from '../world/devnetClient.ts'
import { oneOf, tokens } from '../world/tokens.ts'
import type { WorldAddresses } from '../world/worldDescription.ts'
import { poolAbi } from './abis.ts'
import { type Pair, pools } from './pools.ts'
import { sqrtPriceX96, worthOfToken0, worthOfToken1 } from './sqrtPrice.ts'

/** The current state of a pool, seen from its base token. */
export type PoolState = {
  readonly sqrtPrice: bigint
  readonly baseIsToken0: boolean
}

export async function readPool(
  client: DevnetClient,
  addresses: WorldAddresses,
  pair: Pair,
): Promise<PoolState> {
  const pool = { address: addresses[pools[pair].address], abi: poolAbi } as const
  const [[sqrtPrice], token0] = await Promise.all([
    client.readContract({ ...pool, functionName: 'slot0' }),
    client.readContract({ ...pool, functionName: 'token0' }),
  ])
  return { sqrtPrice, baseIsToken0: isAddressEqual(token0, addresses[tokens[pools[pair].base].address]) }
}

/** The price of one whole base token, in base units of the quote token. */
export function poolPrice(pair: Pair, { sqrtPrice, baseIsToken0 }: PoolState): bigint {
  const one = oneOf(pools[pair].base)
  return baseIsToken0 ? worthOfToken0(one, sqrtPrice) : worthOfToken1(one, sqrtPrice)
}

/** Uniswap's encoding of "one whole base token costs `price`". */
export function sqrtPriceOf(pair: Pair, price: bigint, baseIsToken0: boolean): bigint {
  const one = oneOf(pools[pair].base)
  return baseIsToken0 ? sqrtPriceX96(one, price) : sqrtPriceX96(price, one)
}
