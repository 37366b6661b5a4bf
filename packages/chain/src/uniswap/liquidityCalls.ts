import type { Call } from '@bardo/core'
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint128, parseAbi } from 'viem'
import type { TickRange, TokenAmounts } from './tickMath.ts'

const managerAbi = parseAbi([
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'struct Increase { uint256 tokenId; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'struct Collect { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }',
  'function mint(Mint params)',
  'function increaseLiquidity(Increase params)',
  'function decreaseLiquidity(Decrease params)',
  'function collect(Collect params)',
  'function multicall(bytes[] data)',
])

/** Liquidity to add: a new position, or more for one that the account owns. */
export type AddedLiquidity = {
  /** Uniswap’s NonfungiblePositionManager. */
  readonly manager: Address
  /** Pays, and owns the position. A Cage refuses any other recipient. */
  readonly account: Address
  readonly token0: Address
  readonly token1: Address
  /** The most that may leave. All of it counts towards the signed limits. */
  readonly desired: TokenAmounts
  /** The least that must become liquidity: the transaction reverts at another price. */
  readonly minimum: TokenAmounts
  /** Unix seconds. */
  readonly deadline: bigint
  readonly position:
    | { readonly type: 'new'; readonly fee: number; readonly range: TickRange }
    | { readonly type: 'existing'; readonly tokenId: bigint }
}

/**
 * Approve, add, and set both approvals to zero, as one batch: the manager takes less than the desired amounts.
 *
 * @example
 * await redeem(golem, { id: 'tick-42', steps: [{ links: [root], calls: addLiquidityCalls(added) }] })
 */
export function addLiquidityCalls(added: AddedLiquidity): readonly Call[] {
  const { manager, account, token0, token1, desired, minimum, deadline, position } = added
  const amounts = {
    amount0Desired: desired.amount0,
    amount1Desired: desired.amount1,
    amount0Min: minimum.amount0,
    amount1Min: minimum.amount1,
    deadline,
  }
  const data =
    position.type === 'new'
      ? encodeFunctionData({
          abi: managerAbi,
          functionName: 'mint',
          args: [{ token0, token1, fee: position.fee, ...position.range, recipient: account, ...amounts }],
        })
      : encodeFunctionData({
          abi: managerAbi,
          functionName: 'increaseLiquidity',
          args: [{ tokenId: position.tokenId, ...amounts }],
        })
  const used = [
    { token: token0, amount: desired.amount0 },
    { token: token1, amount: desired.amount1 },
  ].filter(({ amount }) => amount > 0n)
  const approve = (to: Address, amount: bigint): Call => ({
    to,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [manager, amount] }),
  })
  return [
    ...used.map(({ token, amount }) => approve(token, amount)),
    { to: manager, data },
    ...used.map(({ token }) => approve(token, 0n)),
  ]
}

/** Liquidity to remove. */
export type RemovedLiquidity = {
  readonly tokenId: bigint
  /** Zero collects fees only: the manager refuses to remove zero. */
  readonly liquidity: bigint
  /** Receives everything. A Cage refuses any other recipient than the account. */
  readonly account: Address
  /** Unix seconds. */
  readonly deadline: bigint
}

/**
 * The call that removes liquidity and collects everything, fees included. The empty NFT stays: anyone can add dust to a
 * position, and then burning it would revert the whole call. No minimum is set, so that the call stays valid when the
 * price moves before it is sent. A manipulated pool price costs nothing here: at the true price, what a position pays
 * out at any other price is worth at least as much as what it pays out at the true one.
 *
 * @example
 * const data = removeLiquidityCall({ tokenId: 7n, liquidity, account, deadline })
 */
export function removeLiquidityCall({ tokenId, liquidity, account, deadline }: RemovedLiquidity): Hex {
  const abi = managerAbi
  const removed = { tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline }
  const collected = { tokenId, recipient: account, amount0Max: maxUint128, amount1Max: maxUint128 }
  const collect = encodeFunctionData({ abi, functionName: 'collect', args: [collected] })
  if (liquidity === 0n) return collect
  const decrease = encodeFunctionData({ abi, functionName: 'decreaseLiquidity', args: [removed] })
  return encodeFunctionData({ abi, functionName: 'multicall', args: [[decrease, collect]] })
}
