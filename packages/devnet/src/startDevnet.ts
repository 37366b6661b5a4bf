import { BardoError } from '@bardo/core'
import type { Address } from 'viem'
import { devnetAccount, devnetMnemonic, type Role, roles } from './accounts.ts'
import { type Anvil, startAnvil } from './anvil/startAnvil.ts'
import { connectDevnet, type DevnetConnection } from './connectDevnet.ts'
import { createDevnetClient } from './devnetClient.ts'
import { refreshFeeds } from './feeds.ts'
import type { KeptWorld } from './keptWorld.ts'
import {
  defaultCacheFolder,
  fingerprint,
  readSavedState,
  type SavedState,
  writeSavedState,
} from './savedState.ts'
import type { World, WorldDescription } from './worldDescription.ts'

export type DevnetOptions = {
  /** 8545 unless told otherwise; 0 takes any free one, which is what a test wants. */
  readonly port?: number
  /** Build anew even if a saved world is there. */
  readonly fresh?: boolean
  /** Where the saved world is kept. */
  readonly cacheFolder?: string
  /** A world that was lived in before: it goes on where it was kept, and its clock catches up. */
  readonly kept?: KeptWorld
}

/** A running world of one's own. */
export type Devnet = DevnetConnection &
  AsyncDisposable & {
    /** The description alone, as plain data. */
    readonly description: WorldDescription
    /** True when it came from a saved state instead of being built. */
    readonly restored: boolean
    /** The world as it is now, to go on with another time. */
    keep(): Promise<KeptWorld>
    /** Ends it. Calling it twice is fine. */
    stop(): Promise<void>
    /** Resolves when the chain has ended, whoever ended it, with its last words. */
    readonly ended: Promise<string>
  }

// How long the pools have existed when the world opens: TWAPs up to this are warm from the first block.
const warmUpSeconds = 24 * 3600

/**
 * Starts a whole local world: anvil with the Delegation Framework, Uniswap V3, tokens, a vault and funded accounts.
 * It ends with this process, even if this process is killed.
 *
 * @example
 * await using world = await startDevnet({ port: 0 })
 * await world.fund(world.accounts.golem, { USDC: 1_000_000_000n })
 */
export async function startDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const { port = 8545, fresh = false, cacheFolder = defaultCacheFolder, kept } = options
  if (kept) return openWorld(await resume(port, kept), kept.world, true)
  const saved = fresh ? undefined : readSavedState(cacheFolder)
  const restored = saved && (await restore(port, saved))
  if (saved && restored) return openWorld(restored, saved.world, true)

  const anvil = await launch(port)
  try {
    return openWorld(anvil, await build(anvil, cacheFolder), false)
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

function launch(port: number): Promise<Anvil> {
  return startAnvil({ port, timestamp: wallClock() - warmUpSeconds })
}

/** An anvil with a saved world on it, or undefined when the saved world turns out to be unusable. */
async function restore(port: number, saved: SavedState): Promise<Anvil | undefined> {
  const anvil = await launch(port)
  try {
    await load(anvil, saved)
    return anvil
  } catch (error) {
    // Damaged, or from an anvil of another version. The caller builds anew, which also replaces the file.
    const reason = error instanceof Error ? error.message.split('\n')[0] : `${error}`
    process.emitWarning(`The saved world cannot be restored and is built anew. ${reason}`)
    await anvil.stop()
    return undefined
  }
}

/** An anvil with somebody's own world on it. It is not replaced by another where that cannot be. */
async function resume(port: number, kept: KeptWorld): Promise<Anvil> {
  const anvil = await launch(port)
  try {
    await load(anvil, kept)
    return anvil
  } catch (cause) {
    await anvil.stop()
    throw new BardoError('The world that was kept cannot be restored.', { code: 'ANVIL_FAILED', cause })
  }
}

async function load(anvil: Anvil, { world, dump }: SavedState): Promise<void> {
  const client = createDevnetClient(anvil.url)
  await client.loadState({ state: dump })
  if (!(await client.getCode({ address: world.addresses.delegationManager })))
    throw new BardoError('It holds no DelegationManager.', { code: 'INTERNAL' })
  await catchUp(anvil, world)
}

async function build(anvil: Anvil, cacheFolder: string): Promise<World> {
  // Deploying needs MetaMask's kit, which takes longer to load than a saved world does.
  const { deployWorld } = await import('./deploy/deployWorld.ts')
  const client = createDevnetClient(anvil.url)
  const world = await deployWorld(client)
  writeSavedState(cacheFolder, { world, dump: await client.dumpState() })
  await catchUp(anvil, world)
  return world
}

/** The world was built in the past; from here on its clock is ours. */
async function catchUp(anvil: Anvil, { addresses }: World) {
  const client = createDevnetClient(anvil.url)
  const { timestamp } = await client.getBlock()
  const now = BigInt(wallClock())
  await client.setNextBlockTimestamp({ timestamp: now > timestamp ? now : timestamp + 1n })
  await client.mine({ blocks: 1 })
  await refreshFeeds(client, addresses)
}

function openWorld(anvil: Anvil, world: World, restored: boolean): Devnet {
  const description: WorldDescription = {
    url: anvil.url,
    chainId: createDevnetClient(anvil.url).chain.id,
    mnemonic: devnetMnemonic,
    accounts: Object.fromEntries(roles.map((role) => [role, devnetAccount(role).address])) as Record<
      Role,
      Address
    >,
    ...world,
  }
  return {
    ...connectDevnet(description),
    description,
    restored,
    keep: async () => {
      const dump = await createDevnetClient(anvil.url).dumpState()
      return { version: fingerprint(), world, dump }
    },
    stop: anvil.stop,
    ended: anvil.ended,
    [Symbol.asyncDispose]: anvil.stop,
  }
}

function wallClock(): number {
  return Math.floor(Date.now() / 1000)
}
