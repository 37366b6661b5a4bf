import { usdcVault } from '@bardo/contracts'
import { encodeFunctionData, erc20Abi, parseUnits } from 'viem'
import type { Builder } from '../world/builder.ts'
import { fund } from '../world/fund.ts'
import type { WorldAddresses } from '../world/worldDescription.ts'

/** One million dollars of existing deposits: in an empty vault, the first depositor sets the share price. */
export async function seedVault(builder: Builder, addresses: WorldAddresses): Promise<void> {
  const amount = parseUnits('1000000', 6)
  await fund(builder.client, addresses, builder.from, { USDC: amount })
  await builder.send({
    to: addresses.usdc,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [addresses.usdcVault, amount],
    }),
  })
  await builder.send({
    to: addresses.usdcVault,
    data: encodeFunctionData({ abi: usdcVault.abi, functionName: 'deposit', args: [amount, builder.from] }),
  })
}
