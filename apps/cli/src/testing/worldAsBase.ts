import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deploymentOn, hybridAccount, walletSigner } from '@bardo/core'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { type AddressesAsBase, baseChainId, passAsBase } from '@bardo/devnet/testing/passAsBase'
import { type Address, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** A chain with the chain id of Base, and an owner with money in their account. */
export type WorldAsBase = AsyncDisposable & {
  readonly url: string
  readonly client: Devnet['client']
  readonly owner: Address
  readonly account: Address
  readonly usdc: Address
  readonly addresses: AddressesAsBase
  /** The file with the owner's key. */
  readonly keyFile: string
}

/**
 * A chain with the chain id of Base: the framework is at MetaMask's addresses, as on every local chain, and Bardo's contracts
 * and the protocols are at their addresses on Base, so the built-in address book is right. `bardo` treats it as a real network.
 */
export async function startWorldAsBase(home: string): Promise<WorldAsBase> {
  const world = await startDevnet({ port: 0 })
  try {
    const there = deploymentOn(baseChainId)
    const key = generatePrivateKey()
    const owner = privateKeyToAccount(key)
    const { address: account } = hybridAccount(there, {
      began: { owner: owner.address },
      signer: walletSigner(owner),
    })
    const addresses = await passAsBase(world, [
      [owner.address, { ETH: parseEther('1') }],
      [account, { USDC: parseUnits('1000', 6) }],
    ])
    // Blocks come at a fixed interval, as on Base.
    await world.client.setIntervalMining({ interval: 1 })
    const keyFile = join(home, 'owner.key')
    writeFileSync(keyFile, key, { mode: 0o600 })
    const { url, client } = world
    return {
      url,
      client,
      owner: owner.address,
      account,
      usdc: addresses.usdc,
      addresses,
      keyFile,
      [Symbol.asyncDispose]: () => world.stop(),
    }
  } catch (error) {
    await world.stop()
    throw error
  }
}
