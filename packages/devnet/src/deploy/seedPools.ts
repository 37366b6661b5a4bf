import { type Address, encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { poolAbi, positionManagerAbi } from '../uniswap/abis.ts'
import { observationSlots, type Pair, pools } from '../uniswap/pools.ts'
import { sqrtPriceX96 } from '../uniswap/sqrtPrice.ts'
import type { Builder } from '../world/builder.ts'
import { fund } from '../world/fund.ts'
import { oneOf, tokens } from '../world/tokens.ts'

type Needed = Record<'usdc' | 'weth' | 'wbtc' | 'nonfungiblePositionManager', Address>

/** Opens both pools with deep full-range liquidity and enough observation slots for a long TWAP. */
export async function seedPools(builder: Builder, addresses: Needed) {
  return {
    usdcWethPool: await seedPool(builder, addresses, 'WETH/USDC'),
    wbtcWethPool: await seedPool(builder, addresses, 'WBTC/WETH'),
  }
}

async function seedPool(builder: Builder, addresses: Needed, pair: Pair): Promise<Address> {
  const { base, quote, fee, tickSpacing, depth } = pools[pair]
  const sides = [
    { token: addresses[tokens[base].address], amount: depth.base * oneOf(base) },
    { token: addresses[tokens[quote].address], amount: depth.quote * oneOf(quote) },
  ] as const
  await fund(builder.client, addresses, builder.from, { [base]: sides[0].amount, [quote]: sides[1].amount })
  for (const { token, amount } of sides)
    await builder.send({
      to: token,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [addresses.nonfungiblePositionManager, amount],
      }),
    })

  const baseIsToken0 = sides[0].token.toLowerCase() < sides[1].token.toLowerCase()
  const [side0, side1] = baseIsToken0 ? sides : [sides[1], sides[0]]
  const create = {
    abi: positionManagerAbi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [side0.token, side1.token, fee, sqrtPriceX96(side0.amount, side1.amount)],
  } as const
  const { result: pool } = await builder.client.simulateContract({
    ...create,
    address: addresses.nonfungiblePositionManager,
    account: builder.from,
  })
  await builder.send({ to: addresses.nonfungiblePositionManager, data: encodeFunctionData(create) })
  await builder.send({
    to: pool,
    data: encodeFunctionData({
      abi: poolAbi,
      functionName: 'increaseObservationCardinalityNext',
      args: [observationSlots],
    }),
  })

  const lastTick = Math.floor(887272 / tickSpacing) * tickSpacing
  await builder.send({
    to: addresses.nonfungiblePositionManager,
    data: encodeFunctionData({
      abi: positionManagerAbi,
      functionName: 'mint',
      args: [
        {
          token0: side0.token,
          token1: side1.token,
          fee,
          tickLower: -lastTick,
          tickUpper: lastTick,
          amount0Desired: side0.amount,
          amount1Desired: side1.amount,
          amount0Min: 0n,
          amount1Min: 0n,
          recipient: builder.from,
          deadline: maxUint256,
        },
      ],
    }),
  })
  return pool
}
