import type { Call } from '@bardo/core'
import { type Devnet, swapRouter02Abi } from '@bardo/devnet'
import { type Address, encodeFunctionData, erc20Abi, erc4626Abi, parseUnits } from 'viem'

export const scenarios = ['transfer', 'swap', 'deposit'] as const
export type Scenario = (typeof scenarios)[number]

const amount = parseUnits('100', 6)

/** The Golem's calls, with 100 USDC each time. */
export function callsOf(scenario: Scenario, { addresses, accounts }: Devnet, account: Address): Call[] {
  const { usdc, weth, swapRouter02, usdcVault } = addresses
  const approve = (spender: Address): Call => ({
    to: usdc,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  })
  switch (scenario) {
    case 'transfer':
      return [
        {
          to: usdc,
          data: encodeFunctionData({
            abi: erc20Abi,
            functionName: 'transfer',
            args: [accounts.payee, amount],
          }),
        },
      ]
    case 'swap':
      return [
        approve(swapRouter02),
        {
          to: swapRouter02,
          data: encodeFunctionData({
            abi: swapRouter02Abi,
            functionName: 'exactInputSingle',
            args: [
              {
                tokenIn: usdc,
                tokenOut: weth,
                fee: 500,
                recipient: account,
                amountIn: amount,
                amountOutMinimum: 1n,
                sqrtPriceLimitX96: 0n,
              },
            ],
          }),
        },
      ]
    case 'deposit':
      return [
        approve(usdcVault),
        {
          to: usdcVault,
          data: encodeFunctionData({ abi: erc4626Abi, functionName: 'deposit', args: [amount, account] }),
        },
      ]
  }
}
