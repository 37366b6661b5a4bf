import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deploymentOn, hybridAccount, walletSigner } from '@bardo/core'
import { type Devnet, devnetBook, startDevnet } from '@bardo/devnet'
import { baseChainId, passAsBase } from '@bardo/devnet/testing/passAsBase'
import { type Address, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** A chain with the chain id of Base, and an owner with money in their account. */
export type WorldAsBase = AsyncDisposable & {
  readonly url: string
  readonly client: Devnet['client']
  readonly owner: Address
  readonly account: Address
  readonly usdc: Address
  /** The file with the owner's key. */
  readonly keyFile: string
}

/**
 * A chain with the chain id of Base: the framework is at MetaMask's addresses, as on every local chain, Bardo's contracts are
 * at their addresses on Base, and an address book lists the local tokens. `bardo` treats it as a real network.
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
    await world.fund(owner.address, { ETH: parseEther('1') })
    await world.fund(account, { USDC: parseUnits('1000', 6) })
    await passAsBase(world)
    // Blocks come at a fixed interval, as on Base.
    await world.client.setIntervalMining({ interval: 1 })
    const { assets, pools, vaults, contracts } = devnetBook(world)
    const book = {
      assets: Object.fromEntries(assets),
      pools: Object.fromEntries(pools),
      vaults: Object.fromEntries(vaults),
      contracts,
    }
    writeFileSync(join(home, `book-${baseChainId}.json`), JSON.stringify(book))
    const keyFile = join(home, 'owner.key')
    writeFileSync(keyFile, key, { mode: 0o600 })
    const { url, client, addresses } = world
    return {
      url,
      client,
      owner: owner.address,
      account,
      usdc: addresses.usdc,
      keyFile,
      [Symbol.asyncDispose]: () => world.stop(),
    }
  } catch (error) {
    await world.stop()
    throw error
  }
}
