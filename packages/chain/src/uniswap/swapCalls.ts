import type { Call } from '@bardo/core'
import { type Address, encodeFunctionData, erc20Abi, parseAbi } from 'viem'

/** An exact-input swap through one pool of Uniswap V3. */
export type Swap = {
  /** Uniswap's SwapRouter02. */
  readonly router: Address
  /** The payer and recipient. They must be the same account, or a Cage refuses the swap. */
  readonly account: Address
  readonly from: Address
  readonly to: Address
  readonly amountIn: bigint
  readonly minimumOut: bigint
  /** The pool's fee in hundredths of a basis point: 500 is 0.05 %. */
  readonly fee: number
}

const routerAbi = parseAbi([
  'struct Params { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Params params) payable returns (uint256 amountOut)',
])

/**
 * Approve and swap as one batch: the swap uses up the approval, so none is left.
 *
 * @example
 * await redeem(golem, { id: 'tick-42', steps: [{ links: [root], calls: swapCalls(swap) }] })
 */
export function swapCalls({ router, account, from, to, amountIn, minimumOut, fee }: Swap): readonly Call[] {
  const params = {
    tokenIn: from,
    tokenOut: to,
    fee,
    recipient: account,
    amountIn,
    amountOutMinimum: minimumOut,
    sqrtPriceLimitX96: 0n,
  }
  return [
    {
      to: from,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [router, amountIn] }),
    },
    {
      to: router,
      data: encodeFunctionData({ abi: routerAbi, functionName: 'exactInputSingle', args: [params] }),
    },
  ]
}
