import { BardoError } from '@bardo/core'
import { encodeFunctionData, erc20Abi } from 'viem'
import { devnetAccount } from '../world/accounts.ts'
import { createBuilder } from '../world/builder.ts'
import type { DevnetClient } from '../world/devnetClient.ts'
import { fund } from '../world/fund.ts'
import { tokens } from '../world/tokens.ts'
import type { WorldAddresses } from '../world/worldDescription.ts'
import { swapRouter02Abi } from './abis.ts'
import { poolPrice, readPool, sqrtPriceOf } from './poolPrice.ts'
import { type Pair, pools } from './pools.ts'

/**
 * Moves a pool's spot price with a real trade of the faucet, as large as necessary. The TWAP follows as time
 * passes: call `warp` afterwards to let the oracle catch up.
 *
 * @param price - the target price of one whole base token, in base units of the quote token
 * @returns the new price of the pool, which differs from `price` only by rounding
 */
export async function movePrice(
  client: DevnetClient,
  addresses: WorldAddresses,
  pair: Pair,
  price: bigint,
): Promise<bigint> {
  if (price <= 0n)
    throw new BardoError('A price must be above zero.', {
      code: 'INVALID_INPUT',
      details: [`${pair} ${price}`],
    })

  const { base, quote, fee } = pools[pair]
  const before = await readPool(client, addresses, pair)
  const target = sqrtPriceOf(pair, price, before.baseIsToken0)
  if (target === before.sqrtPrice) return poolPrice(pair, before)

  // Buying the base token raises its price, selling it lowers it.
  const rises = poolPrice(pair, before) < price
  const [tokenIn, tokenOut] = rises ? [quote, base] : [base, quote]
  const [low, high] = target < before.sqrtPrice ? [target, before.sqrtPrice] : [before.sqrtPrice, target]
  const reserve = await client.readContract({
    address: addresses[tokens[tokenIn].address],
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [addresses[pools[pair].address]],
  })
  // On a full-range curve the amount that is paid in grows with the square root of the price. Twice that
  // amount leaves room for fees and narrower positions; the price limit stops the trade at the target.
  const amountIn = (2n * reserve * (high - low)) / low + 1n

  const faucet = createBuilder(client, devnetAccount('faucet').address)
  await fund(client, addresses, faucet.from, { [tokenIn]: amountIn })
  await faucet.send({
    to: addresses[tokens[tokenIn].address],
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [addresses.swapRouter02, amountIn],
    }),
  })
  await faucet.send({
    to: addresses.swapRouter02,
    data: encodeFunctionData({
      abi: swapRouter02Abi,
      functionName: 'exactInputSingle',
      args: [
        {
          tokenIn: addresses[tokens[tokenIn].address],
          tokenOut: addresses[tokens[tokenOut].address],
          fee,
          recipient: faucet.from,
          amountIn,
          amountOutMinimum: 0n,
          sqrtPriceLimitX96: target,
        },
      ],
    }),
  })

  const after = await readPool(client, addresses, pair)
  if (after.sqrtPrice === target) return poolPrice(pair, after)
  throw new BardoError(`${pair} did not reach the price.`, {
    code: 'INTERNAL',
    details: [`target: ${price}`, `reached: ${poolPrice(pair, after)}`],
    outcome: 'landed',
  })
}
