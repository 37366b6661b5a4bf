import { wbtc as mintable } from '@bardo/contracts'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { devnetAccount } from './accounts.ts'
import { createBuilder } from './builder.ts'
import type { DevnetClient } from './devnetClient.ts'
import type { TokenSymbol } from './tokens.ts'
import type { WorldAddresses } from './worldDescription.ts'

/** Amounts to add, in base units. */
export type Funds = Readonly<Partial<Record<TokenSymbol | 'ETH', bigint>>>

/** Adds money to an account. */
export async function fund(
  client: DevnetClient,
  addresses: Pick<WorldAddresses, 'usdc' | 'weth' | 'wbtc'>,
  to: Address,
  { ETH = 0n, USDC = 0n, WETH = 0n, WBTC = 0n }: Funds,
): Promise<void> {
  const faucet = createBuilder(client, devnetAccount('faucet').address)
  if (ETH > 0n) await addBalance(client, to, ETH)
  if (USDC > 0n) await faucet.send({ to: addresses.usdc, data: mint(to, USDC) })
  if (WBTC > 0n) await faucet.send({ to: addresses.wbtc, data: mint(to, WBTC) })
  if (WETH > 0n) {
    // As on real chains, every WETH is backed by an ETH.
    await addBalance(client, faucet.from, WETH)
    await faucet.send({ to: addresses.weth, value: WETH })
    await faucet.send({
      to: addresses.weth,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, WETH] }),
    })
  }
}

function mint(to: Address, amount: bigint) {
  return encodeFunctionData({ abi: mintable.abi, functionName: 'mint', args: [to, amount] })
}

async function addBalance(client: DevnetClient, address: Address, amount: bigint) {
  await client.setBalance({ address, value: (await client.getBalance({ address })) + amount })
}
