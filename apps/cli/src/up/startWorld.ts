import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BardoError } from '@bardo/core'
import { type Devnet, devnetAccount, readKeptWorld, startDevnet, writeKeptWorld } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { localChain } from '../place/findChain.ts'
import { makeHome } from '../place/makeHome.ts'
import { openFolder } from '../place/openPlace.ts'
import type { Settings } from '../place/settings.ts'
import { isOlderThanJournal } from './isOlderThanJournal.ts'
import { setAside } from './setAside.ts'

/** A world that runs, with what its lives are remembered in. */
export type OpenWorld = AsyncDisposable & {
  readonly world: Devnet
  readonly store: Store
  /** What came before: nothing, the same world, or one that was set aside, and why. */
  readonly before:
    | { readonly is: 'none' | 'kept' }
    | { readonly is: 'aside'; readonly folder: string; readonly because: string }
  /** Writes the world down, where something happened since the last time. */
  keep(): Promise<void>
}

type Wish = { readonly port: number; readonly isFresh: boolean }

/**
 * Starts the world of a data folder, or goes on with it: the chain as it was kept, and the lives in the database. What
 * does not belong together any more is set aside, never deleted.
 */
export async function startWorld(settings: Settings, { port, isFresh }: Wish): Promise<OpenWorld> {
  const { home } = settings
  makeHome(home)
  const file = join(home, 'world.json')
  const found = readKeptWorld(file)
  if (found.is === 'kept' && !isFresh) {
    const open = await openBoth(settings, () => startDevnet({ port, kept: found.kept }))
    if (!(await isBehind(open))) return finish(home, open, { is: 'kept' })
    await close(open)
    return anew(settings, port, 'it ended before its last trades were kept')
  }
  if (found.is === 'unusable') return anew(settings, port, found.because)
  if (isFresh && (found.is === 'kept' || existsSync(join(home, 'db'))))
    return anew(settings, port, 'you said so')
  if (existsSync(join(home, 'db'))) await requireEmpty(settings)
  return finish(home, await openBoth(settings, () => startDevnet({ port })), { is: 'none' })
}

type Both = Pick<OpenWorld, 'world' | 'store'>

/** Both at once: each takes a second or two at its first time. */
async function openBoth(settings: Settings, start: () => Promise<Devnet>): Promise<Both> {
  const [store, world] = await Promise.allSettled([openFolder(settings), start()])
  if (store.status === 'fulfilled' && world.status === 'fulfilled')
    return { store: store.value, world: world.value }
  if (store.status === 'fulfilled') await store.value.close()
  if (world.status === 'fulfilled') await world.value.stop()
  // Who has the folder matters more than who has the port: most often it is the same world.
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

async function anew(settings: Settings, port: number, because: string): Promise<OpenWorld> {
  // Opened once, so that nobody else has it while it is moved.
  await (await openFolder(settings)).close()
  const folder = setAside(settings.home, new Date())
  const both = await openBoth(settings, () => startDevnet({ port }))
  return finish(settings.home, both, { is: 'aside', folder, because })
}

/** Golems without their chain cannot go on, and may belong to another one. */
async function requireEmpty(settings: Settings): Promise<void> {
  const store = await openFolder(settings)
  const golems = await store.golems.list({ limit: 1 })
  await store.close()
  if (golems.length === 0) return
  throw new BardoError('This folder has Golems of a chain that is not here.', {
    code: 'CONFIG_INVALID',
    details: [settings.home],
    remedy: 'Name another folder with --home, or set these aside with --fresh.',
    docsPath: 'cli.md#the-local-world-goes-on',
  })
}

async function finish(home: string, { world, store }: Both, before: OpenWorld['before']): Promise<OpenWorld> {
  const file = join(home, 'world.json')
  const shown = join(home, 'devnet.json')
  const text = `${JSON.stringify(world.description, null, 2)}\n`
  let keptBlock: bigint | undefined
  const keep = async () => {
    const block = await world.client.getBlockNumber()
    if (block === keptBlock) return
    writeKeptWorld(file, await world.keep())
    keptBlock = block
  }
  try {
    await keep()
    writeFileSync(shown, text, { mode: 0o600 })
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
      if (existsSync(shown) && readFileSync(shown, 'utf8') === text) rmSync(shown)
      await store.close()
      // A chain that ended by itself cannot be asked any more.
      await keep().catch(() => {})
      await world.stop()
    },
  }
}
