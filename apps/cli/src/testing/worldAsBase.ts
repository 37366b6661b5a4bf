import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deploymentOn, type Framework, hybridAccount, walletSigner } from '@bardo/chain'
import { planFor } from '@bardo/deploy'
import { type Devnet, devnetBook, startDevnet } from '@bardo/devnet'
import { type Address, type Hex, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const baseChainId = 8_453

/** A chain that passes for Base, and an owner there with money in their account. */
export type WorldAsBase = AsyncDisposable & {
  readonly url: string
  readonly client: Devnet['client']
  readonly owner: Address
  readonly account: Address
  /** The file with the owner's key. */
  readonly keyFile: string
}

/**
 * A chain that passes for Base: the framework's code stands where MetaMask has put it there, ours where it is deployed to,
 * and an address book names the local tokens. Nothing of `bardo` takes it for the local world.
 */
export async function startWorldAsBase(home: string): Promise<WorldAsBase> {
  const world = await startDevnet({ port: 0 })
  try {
    const there = deploymentOn(baseChainId)
    await copyCode(world, moves(world.framework, there.framework))
    await copyCode(world, [
      [
        deploymentOn(world.chainId, world.framework).contracts.identityRegistry,
        there.contracts.identityRegistry,
      ],
    ])
    const key = generatePrivateKey()
    const owner = privateKeyToAccount(key)
    const { address: account } = hybridAccount(there, {
      began: { owner: owner.address },
      signer: walletSigner(owner),
    })
    await world.fund(owner.address, { ETH: parseEther('1') })
    await world.fund(account, { USDC: parseUnits('1000', 6) })
    await world.client.request<{ Method: 'anvil_setChainId'; Parameters: [number]; ReturnType: null }>({
      method: 'anvil_setChainId',
      params: [baseChainId],
    })
    await putOurs(world)
    // Blocks come whether anybody sends or not, as they do there.
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
    const { url, client } = world
    return { url, client, owner: owner.address, account, keyFile, [Symbol.asyncDispose]: () => world.stop() }
  } catch (error) {
    await world.stop()
    throw error
  }
}

/** Some of ours keep the chain's id in their code, so each is made by its constructor, on this chain. */
async function putOurs({ client }: Devnet): Promise<void> {
  for (const { address, initCode } of planFor('base')) {
    const { data } = await client.call({ to: address, stateOverride: [{ address, code: initCode }] })
    if (!data) throw new Error(`nothing comes of ${address}`)
    await client.setCode({ address, bytecode: data })
  }
}

type Move = readonly [from: Address, to: Address]

/** Where each contract stands here, and where it stands there. */
function moves(here: Framework, there: Framework): readonly Move[] {
  const flat = ({ implementations, caveatEnforcers, ...single }: Framework) => ({
    ...single,
    ...implementations,
    ...caveatEnforcers,
  })
  const known: Readonly<Record<string, Address>> = flat(here)
  return Object.entries(flat(there)).map(([name, to]) => {
    const from = known[name]
    if (!from) throw new Error(`${name} is not in the local world`)
    return [from, to]
  })
}

/** Contracts know each other by addresses in their code, which move with them. */
async function copyCode({ client }: Devnet, all: readonly Move[]): Promise<void> {
  for (const [from, to] of all) {
    const code = await client.getCode({ address: from })
    if (!code) throw new Error(`nothing is at ${from}`)
    const moved = all.reduce(
      (text, [old, its]) => text.replaceAll(old.slice(2).toLowerCase(), its.slice(2).toLowerCase()),
      code.toLowerCase(),
    )
    await client.setCode({ address: to, bytecode: moved as Hex })
  }
}
