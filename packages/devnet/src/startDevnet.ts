import { BardoError } from '@bardo/core'
import type { Address } from 'viem'
import { type Anvil, startAnvil } from './anvil/startAnvil.ts'
import { withoutOldEmptyBlocks } from './chainDump.ts'
import { connectDevnet, type DevnetConnection } from './connectDevnet.ts'
import { deployOwn } from './deploy/deployOwn.ts'
import { refreshFeeds } from './feeds.ts'
import type { KeptWorld } from './keptWorld.ts'
import {
  defaultCacheFolder,
  fingerprint,
  readSavedState,
  type SavedState,
  writeSavedState,
} from './savedState.ts'
import { devnetAccount, devnetMnemonic, type Role, roles } from './world/accounts.ts'
import { createBuilder } from './world/builder.ts'
import { createDevnetClient, dumpTimeoutMs } from './world/devnetClient.ts'
import type { World, WorldDescription } from './world/worldDescription.ts'

export type DevnetOptions = {
  /** Default: 8545. 0 takes a free port. */
  readonly port?: number
  /** Build the devnet even if a saved one exists. */
  readonly fresh?: boolean
  /** The folder of the saved devnet. */
  readonly cacheFolder?: string
  /** A stored devnet: it continues from its state, and its clock catches up. */
  readonly kept?: KeptWorld
  /**
   * The time at which the devnet opens, in milliseconds since 1970. Default: now. Its clock continues from
   * there.
   */
  readonly openAt?: number
}

/** A running devnet that this process owns. */
export type Devnet = DevnetConnection &
  AsyncDisposable & {
    /** The description as plain data. */
    readonly description: WorldDescription
    /** True if it was restored from a saved state instead of built. */
    readonly restored: boolean
    /** The current state of the devnet, to continue with it later. */
    keep(): Promise<KeptWorld>
    /** Stops it. Calling it twice is fine. */
    stop(): Promise<void>
    /** Resolves with the chain's last output when the chain has ended, for any reason. */
    readonly ended: Promise<string>
  }

// The age of the pools when the devnet opens: TWAPs up to this length work from the first block.
const warmUpSeconds = 24 * 3600

/**
 * Starts a complete local chain: anvil with the Delegation Framework, Uniswap V3, tokens, a vault and funded
 * accounts. It ends with this process, even if this process is killed.
 *
 * @example
 * await using world = await startDevnet({ port: 0 })
 * await world.fund(world.accounts.golem, { USDC: 1_000_000_000n })
 */
export async function startDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const { port = 8545, fresh = false, cacheFolder = defaultCacheFolder, kept, openAt = Date.now() } = options
  const began = Date.now()
  const at = () => Math.floor((openAt + Date.now() - began) / 1_000)
  if (kept) return resume(port, kept, at)
  const saved = fresh ? undefined : readSavedState(cacheFolder)
  const restored = saved && (await restore(port, saved, at))
  if (saved && restored) return openWorld(restored, saved.world, true)

  const anvil = await launch(port, at)
  try {
    const world = await build(anvil, cacheFolder)
    await catchUp(anvil, world, at)
    return openWorld(anvil, world, false)
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/** The devnet's current time, in Unix seconds. */
type Now = () => number

function launch(port: number, at: Now): Promise<Anvil> {
  return startAnvil({ port, timestamp: at() - warmUpSeconds })
}

/** An anvil with a saved devnet, or undefined if the saved devnet is unusable. */
async function restore(port: number, saved: SavedState, at: Now): Promise<Anvil | undefined> {
  const anvil = await launch(port, at)
  try {
    await load(anvil, saved, at)
    return anvil
  } catch (error) {
    // Damaged, or from another version of anvil. The caller builds it again, which also replaces the file.
    const reason = error instanceof Error ? error.message.split('\n')[0] : `${error}`
    process.emitWarning(`The saved devnet cannot be restored and is built again. ${reason}`)
    await anvil.stop()
    return undefined
  }
}

/**
 * Opens an owner's devnet and adds the current contracts to it. If it cannot be restored, it is not replaced
 * with a new one.
 */
async function resume(port: number, kept: KeptWorld, at: Now): Promise<Devnet> {
  const anvil = await launch(port, at)
  try {
    await load(anvil, kept, at)
    const { addresses, framework } = kept.world
    const builder = createBuilder(createDevnetClient(anvil.url), devnetAccount('faucet').address)
    const own = await deployOwn(builder, framework.DelegationManager)
    return openWorld(anvil, { addresses: { ...addresses, ...own }, framework }, true)
  } catch (cause) {
    await anvil.stop()
    throw new BardoError('The stored devnet cannot be restored.', { code: 'ANVIL_FAILED', cause })
  }
}

async function load(anvil: Anvil, { world, dump }: SavedState, at: Now): Promise<void> {
  const client = createDevnetClient(anvil.url, dumpTimeoutMs)
  await client.loadState({ state: dump })
  if (!(await client.getCode({ address: world.addresses.delegationManager })))
    throw new BardoError('The saved devnet has no DelegationManager.', { code: 'INTERNAL' })
  await catchUp(anvil, world, at)
}

async function build(anvil: Anvil, cacheFolder: string): Promise<World> {
  // Deploying needs the bytecode of all protocols, which takes longer to load than a saved devnet.
  const { deployWorld } = await import('./deploy/deployWorld.ts')
  const client = createDevnetClient(anvil.url)
  const world = await deployWorld(client)
  writeSavedState(cacheFolder, { world, dump: await client.dumpState() })
  return world
}

/** The devnet was built in the past; from here on its clock follows the caller's. */
async function catchUp(anvil: Anvil, { addresses }: World, at: Now) {
  const client = createDevnetClient(anvil.url)
  const { timestamp } = await client.getBlock()
  const now = BigInt(at())
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
      const dump = withoutOldEmptyBlocks(await createDevnetClient(anvil.url, dumpTimeoutMs).dumpState())
      return { version: fingerprint(), world, dump }
    },
    stop: anvil.stop,
    ended: anvil.ended,
    [Symbol.asyncDispose]: anvil.stop,
  }
}
