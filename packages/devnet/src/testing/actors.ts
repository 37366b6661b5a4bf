import { BardoError } from '@bardo/core'
import { Implementation, toMetaMaskSmartAccount } from '@metamask/smart-accounts-kit'
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  numberToHex,
} from 'viem'
import type { Devnet } from '../startDevnet.ts'
import { devnetAccount, type Role } from '../world/accounts.ts'

/** What the devnet's accounts do in tests: sign, send, read, and open accounts. */
export function createActors(world: Devnet) {
  const owner = devnetAccount('owner')
  let accounts = 0

  /** Signs and sends as one of the devnet's accounts, and requires success. */
  async function send(role: Role, to: Address, data: Hex) {
    const account = devnetAccount(role)
    const wallet = createWalletClient({ account, chain: world.chain, transport: http(world.url) })
    const hash = await wallet.sendTransaction({ to, data })
    const receipt = await world.client.waitForTransactionReceipt({ hash })
    if (receipt.status === 'success') return receipt
    throw new BardoError('A transaction reverted.', { code: 'TRANSACTION_REVERTED', outcome: 'landed' })
  }

  return {
    owner,
    send,

    balanceOf: (token: Address, account: Address) =>
      world.client.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account],
      }),

    /** A Hybrid smart account of the owner, a new one at each call, deployed by the operator. */
    async deployHybrid() {
      accounts += 1
      const account = await toMetaMaskSmartAccount({
        client: world.client,
        environment: world.framework,
        implementation: Implementation.Hybrid,
        deployParams: [owner.address, [], [], []],
        deploySalt: numberToHex(accounts, { size: 32 }),
        signer: { account: owner },
      })
      const { factory, factoryData } = await account.getFactoryArgs()
      if (factory && factoryData) await send('operator', factory, factoryData)
      return account
    },
  }
}

export type Actors = ReturnType<typeof createActors>

export function approve(spender: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
}
