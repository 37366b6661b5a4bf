import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BardoError } from '@bardo/core'
import { type Devnet, devnetAccount, readKeptWorld, startDevnet, writeKeptWorld } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import type { Address } from 'viem'
import { type ChainConnection, localChain } from '../../context/findChain.ts'
import { makeHome } from '../../context/makeHome.ts'
import { openFolder } from '../../context/openContext.ts'
import type { Settings } from '../../context/settings.ts'
import { everyGolem } from '../../rpc/everyGolem.ts'

/** A running local chain with its store. */
export type OpenWorld = AsyncDisposable & {
  readonly world: Devnet
  readonly store: Store
  /** The previous state: none, continued (`kept`), or archived (`aside`) with the reason. */
  readonly before:
    | { readonly type: 'none' | 'kept' }
    | { readonly type: 'aside'; readonly folder: string; readonly because: string }
  /** Saves the chain, if something happened since the last time. */
  keep(): Promise<void>
}

type WorldOptions = { readonly port: number; readonly isFresh: boolean }

/**
 * Starts the local chain of a data folder, or continues it from its saved state and database. A chain and a database that
 * do not match are archived, never deleted.
 */
export async function startWorld(settings: Settings, { port, isFresh }: WorldOptions): Promise<OpenWorld> {
  const { home } = settings
  makeHome(home)
  const file = join(home, 'world.json')
  const saved = readKeptWorld(file)
  if (saved.type === 'kept' && !isFresh) {
    const open = await openBoth(settings, () => startDevnet({ port, kept: saved.kept }))
    if (!(await isBehind(open))) return finish(home, open, { type: 'kept' })
    await close(open)
    return restart(settings, port, 'the process ended before its last transactions were saved')
  }
  if (saved.type === 'unusable') return restart(settings, port, saved.because)
  if (isFresh && (saved.type === 'kept' || existsSync(join(home, 'db'))))
    return restart(settings, port, 'requested with --fresh')
  if (existsSync(join(home, 'db'))) await requireEmpty(settings)
  return finish(home, await openBoth(settings, () => startDevnet({ port })), { type: 'none' })
}

type Both = Pick<OpenWorld, 'world' | 'store'>

/** In parallel: each takes a second or two at the first start. */
async function openBoth(settings: Settings, start: () => Promise<Devnet>): Promise<Both> {
  const [store, world] = await Promise.allSettled([openFolder(settings), start()])
  if (store.status === 'fulfilled' && world.status === 'fulfilled')
    return { store: store.value, world: world.value }
  if (store.status === 'fulfilled') await store.value.close()
  if (world.status === 'fulfilled') await world.value.stop()
  // Report a locked folder before a taken port: most often the same process holds both.
  throw store.status === 'rejected' ? store.reason : world.status === 'rejected' ? world.reason : undefined
}

async function close({ store, world }: Both): Promise<void> {
  await store.close()
  await world.stop()
}

function isBehind({ world, store }: Both): Promise<boolean> {
  const senders = [devnetAccount('owner').address, devnetAccount('operator').address]
  return isOlderThanJournal(localChain(world.description), store, senders)
}

async function restart(settings: Settings, port: number, because: string): Promise<OpenWorld> {
  // Open it once, to be sure that no other process holds it while it is moved.
  await (await openFolder(settings)).close()
  const folder = archiveWorld(settings.home, new Date())
  const both = await openBoth(settings, () => startDevnet({ port }))
  return finish(settings.home, both, { type: 'aside', folder, because })
}

/** Golems without their chain cannot continue, and may belong to another chain. */
async function requireEmpty(settings: Settings): Promise<void> {
  const store = await openFolder(settings)
  const golems = await store.golems.list({ limit: 1 })
  await store.close()
  if (golems.length === 0) return
  throw new BardoError('The data folder has Golems, but their chain is missing.', {
    code: 'CONFIG_INVALID',
    details: [settings.home],
    remedy: 'Choose another folder with --home, or archive these Golems with --fresh.',
    docsPath: 'cli.md#keeping-the-local-world',
  })
}

/** Empty blocks are saved only after this many: an idle chain is not written to disk every two seconds. */
const mostEmptyBlocks = 100n

async function hasNews({ client }: Devnet, kept: bigint, latest: bigint): Promise<boolean> {
  if (latest - kept >= mostEmptyBlocks) return true
  for (let blockNumber = kept + 1n; blockNumber <= latest; blockNumber += 1n)
    if ((await client.getBlockTransactionCount({ blockNumber })) > 0) return true
  return false
}

async function finish(home: string, { world, store }: Both, before: OpenWorld['before']): Promise<OpenWorld> {
  const file = join(home, 'world.json')
  const shown = join(home, 'devnet.json')
  const text = `${JSON.stringify(world.description, null, 2)}\n`
  let keptBlock: bigint | undefined
  const keep = async () => {
    const block = await world.client.getBlockNumber()
    if (keptBlock !== undefined && !(await hasNews(world, keptBlock, block))) return
    writeKeptWorld(file, await world.keep())
    keptBlock = block
  }
  const hide = () => {
    if (existsSync(shown) && readFileSync(shown, 'utf8') === text) rmSync(shown)
  }
  try {
    await keep()
    writeFileSync(shown, text, { mode: 0o600 })
    // A second Ctrl-C ends the process at once. Remove the file then too: it would name a chain that is gone.
    process.once('exit', hide)
  } catch (error) {
    await close({ world, store })
    throw error
  }
  return {
    world,
    store,
    before,
    keep,
    async [Symbol.asyncDispose]() {
      process.off('exit', hide)
      hide()
      await store.close()
      // Fails if the chain has stopped by itself.
      await keep().catch(() => {})
      await world.stop()
    },
  }
}

/** Moves the old chain and its database to a dated folder, and returns its path. Deletes nothing. */
function archiveWorld(home: string, now: Date): string {
  const folder = join(home, `aside-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of ['db', 'world.json'])
    if (existsSync(join(home, name))) renameSync(join(home, name), join(folder, name))
  return folder
}

/**
 * Whether the journal has landed transactions that this chain does not have: the process was killed before the chain was
 * saved. Checks the Golems' keys and the `others`.
 */
async function isOlderThanJournal(
  { client, deployment }: Pick<ChainConnection, 'client' | 'deployment'>,
  store: Pick<Store, 'golems' | 'sessionKeys' | 'journal'>,
  others: readonly Address[],
): Promise<boolean> {
  const { sessionKeys, journal } = store
  const rows = await everyGolem(store)
  const keys = (await Promise.all(rows.map(({ id }) => sessionKeys.list(id)))).flat()
  for (const from of new Set([...keys.map(({ address }) => address), ...others])) {
    const sender = { chainId: deployment.chainId, from }
    const highest = await journal.highestNonce(sender)
    if (highest === undefined) continue
    const count = await client.getTransactionCount({ address: from })
    const open = (await journal.open(sender)).filter(({ nonce }) => nonce !== undefined && nonce >= count)
    // An open transaction may not have been sent. Every other nonce up to the highest one has landed.
    if (highest + 1 - count > open.length) return true
  }
  return false
}
