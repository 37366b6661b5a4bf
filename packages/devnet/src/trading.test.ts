import { usdcVault } from '@bardo/contracts'
import {
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  maxUint256,
  parseAbi,
  parseAbiParameters,
  parseEther,
  parseUnits,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Devnet, startDevnet } from './startDevnet.ts'
import { type Actors, approve, createActors } from './testing/actors.ts'
import { positionManagerAbi, quoterV2Abi, swapRouter02Abi, universalRouterAbi } from './uniswap/abis.ts'

let world: Devnet
let actors: Actors
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  actors = createActors(world)
})
afterAll(() => world.stop())

describe('trading on the devnet', () => {
  it('swaps through SwapRouter02 for exactly what QuoterV2 quotes, close to the price', async () => {
    const { usdc, weth, swapRouter02, quoterV2 } = world.addresses
    const amountIn = parseUnits('3000', 6)
    const { result } = await world.client.simulateContract({
      address: quoterV2,
      abi: quoterV2Abi,
      functionName: 'quoteExactInputSingle',
      args: [{ tokenIn: usdc, tokenOut: weth, amountIn, fee: 500, sqrtPriceLimitX96: 0n }],
    })
    const before = await actors.balanceOf(weth, actors.owner.address)
    await actors.send('owner', usdc, approve(swapRouter02, amountIn))
    await actors.send(
      'owner',
      swapRouter02,
      encodeFunctionData({
        abi: swapRouter02Abi,
        functionName: 'exactInputSingle',
        args: [
          {
            tokenIn: usdc,
            tokenOut: weth,
            fee: 500,
            recipient: actors.owner.address,
            amountIn,
            amountOutMinimum: result[0],
            sqrtPriceLimitX96: 0n,
          },
        ],
      }),
    )
    const received = (await actors.balanceOf(weth, actors.owner.address)) - before
    expect(received).toBe(result[0])
    // One WETH less the fee of 0.05 % and a very small price impact.
    expect(received).toBeGreaterThan(parseEther('0.9994'))
    expect(received).toBeLessThan(parseEther('0.9996'))
  })

  it('swaps USDC to WBTC across both pools', async () => {
    const { usdc, weth, wbtc, swapRouter02 } = world.addresses
    const amountIn = parseUnits('9000', 6)
    const before = await actors.balanceOf(wbtc, actors.owner.address)
    await actors.send('owner', usdc, approve(swapRouter02, amountIn))
    const path = encodePacked(
      ['address', 'uint24', 'address', 'uint24', 'address'],
      [usdc, 500, weth, 3000, wbtc],
    )
    await actors.send(
      'owner',
      swapRouter02,
      encodeFunctionData({
        abi: swapRouter02Abi,
        functionName: 'exactInput',
        args: [{ path, recipient: actors.owner.address, amountIn, amountOutMinimum: 0n }],
      }),
    )
    const received = (await actors.balanceOf(wbtc, actors.owner.address)) - before
    expect(received).toBeGreaterThan(parseUnits('0.0995', 8))
    expect(received).toBeLessThan(parseUnits('0.1', 8))
  })

  it('swaps through UniversalRouter with Permit2', async () => {
    const { usdc, weth, permit2, universalRouter } = world.addresses
    const amountIn = parseUnits('300', 6)
    const before = await actors.balanceOf(weth, actors.owner.address)
    await actors.send('owner', usdc, approve(permit2, amountIn))
    await actors.send(
      'owner',
      permit2,
      encodeFunctionData({
        abi: parseAbi([
          'function approve(address token, address spender, uint160 amount, uint48 expiration)',
        ]),
        functionName: 'approve',
        args: [usdc, universalRouter, amountIn, 2 ** 48 - 1],
      }),
    )
    const path = encodePacked(['address', 'uint24', 'address'], [usdc, 500, weth])
    const v3SwapExactIn = '0x00'
    const input = encodeAbiParameters(
      parseAbiParameters(
        'address recipient, uint256 amountIn, uint256 amountOutMin, bytes path, bool payerIsUser',
      ),
      [actors.owner.address, amountIn, 0n, path, true],
    )
    await actors.send(
      'owner',
      universalRouter,
      encodeFunctionData({
        abi: universalRouterAbi,
        functionName: 'execute',
        args: [v3SwapExactIn, [input], maxUint256],
      }),
    )
    expect((await actors.balanceOf(weth, actors.owner.address)) - before).toBeGreaterThan(
      parseEther('0.0999'),
    )
  })

  it('adds liquidity through NonfungiblePositionManager', async () => {
    const { usdc, weth, nonfungiblePositionManager: manager } = world.addresses
    const [amount0Desired, amount1Desired] = [parseUnits('3000', 6), parseEther('1')]
    await actors.send('owner', usdc, approve(manager, amount0Desired))
    await actors.send('owner', weth, approve(manager, amount1Desired))
    const held = () =>
      world.client.readContract({
        address: manager,
        abi: positionManagerAbi,
        functionName: 'balanceOf',
        args: [actors.owner.address],
      })
    expect(await held()).toBe(0n)
    await actors.send(
      'owner',
      manager,
      encodeFunctionData({
        abi: positionManagerAbi,
        functionName: 'mint',
        args: [
          {
            token0: usdc,
            token1: weth,
            fee: 500,
            tickLower: 190_000,
            tickUpper: 205_000,
            amount0Desired,
            amount1Desired,
            amount0Min: 0n,
            amount1Min: 0n,
            recipient: actors.owner.address,
            deadline: maxUint256,
          },
        ],
      }),
    )
    expect(await held()).toBe(1n)
  })

  it('deposits into the vault and redeems with the yield that was paid in', async () => {
    const { usdc, usdcVault: vault } = world.addresses
    const amount = parseUnits('1000', 6)
    await actors.send('owner', usdc, approve(vault, amount))
    await actors.send(
      'owner',
      vault,
      encodeFunctionData({
        abi: usdcVault.abi,
        functionName: 'deposit',
        args: [amount, actors.owner.address],
      }),
    )
    const shares = await actors.balanceOf(vault, actors.owner.address)
    expect(shares).toBe(amount)

    await world.fund(vault, { USDC: parseUnits('100100', 6) })
    const before = await actors.balanceOf(usdc, actors.owner.address)
    const redeem = encodeFunctionData({
      abi: usdcVault.abi,
      functionName: 'redeem',
      args: [shares, actors.owner.address, actors.owner.address],
    })
    await actors.send('owner', vault, redeem)
    const received = (await actors.balanceOf(usdc, actors.owner.address)) - before
    expect(amount + parseUnits('100', 6) - received).toBeLessThanOrEqual(1n)
  })
})
