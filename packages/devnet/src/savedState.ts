import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { Hex } from 'viem'
import type { World } from './world/worldDescription.ts'

/** A built devnet: its addresses, and anvil's dump of its chain. */
export type SavedState = { readonly world: World; readonly dump: Hex }

const require = createRequire(import.meta.url)

/**
 * The folder that contains `node_modules`: this repository, or the project that has this package installed.
 */
const project =
  /^(.*?)[/\\]node_modules[/\\]/.exec(import.meta.dirname)?.[1] ?? join(import.meta.dirname, '../../..')

/** The default folder of saved devnets: `npm install` can recreate its content. */
export const defaultCacheFolder = join(project, 'node_modules/.cache/bardo')

/**
 * Changes whenever the devnet may come out differently: its sources, its bytecode, the pinned packages. It
 * decides whether the cache is built again, and never whether an owner's devnet continues.
 */
export function fingerprint(): string {
  const hash = createHash('sha256')
  const here = import.meta.dirname
  const deploy = dirname(require.resolve('@bardo/deploy'))
  const files = [
    ...sourcesIn(join(here, 'deploy')),
    ...sourcesIn(join(here, 'uniswap')),
    ...sourcesIn(here),
    ...sourcesIn(dirname(require.resolve('@bardo/contracts'))),
    ...sourcesIn(deploy),
    ...sourcesIn(dirname(require.resolve('@bardo/core/deployments'))),
    join(here, '../package.json'),
    join(deploy, '../package.json'),
  ]
  for (const file of files) hash.update(`${basename(file)}\n`).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/** The modules of a folder, by name: TypeScript in this repository, JavaScript if installed. */
function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /\.[jt]s$/.test(name) && !/\.(?:test|d)\.ts$/.test(name))
    .sort()
    .map((name) => join(folder, name))
}

/** The saved devnet of this version; undefined if there is none or its file is damaged. */
export function readSavedState(folder: string): SavedState | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, `devnet-${fingerprint()}.json`), 'utf8')) as SavedState
  } catch {
    // The caller builds the devnet and the file again.
    return undefined
  }
}

/** Saves a devnet for the next start, and deletes those of other versions. */
export function writeSavedState(folder: string, state: SavedState): void {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `devnet-${fingerprint()}.json`)
  // Two processes may build at the same time; a rename is atomic.
  const draft = join(folder, `draft-${randomUUID()}`)
  writeFileSync(draft, JSON.stringify(state))
  renameSync(draft, file)
  for (const name of readdirSync(folder))
    if (/^devnet-.*\.json$/.test(name) && name !== basename(file)) rmSync(join(folder, name), { force: true })
}
