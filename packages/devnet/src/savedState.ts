import { createHash, randomUUID } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Hex } from 'viem'
import type { World } from './worldDescription.ts'

/** A built world, and anvil's dump of the chain it stands on. */
export type SavedState = { readonly world: World; readonly dump: Hex }

const repository = join(import.meta.dirname, '../../..')

/** Where saved worlds are kept unless a test says otherwise: with the rest of what `npm install` can bring back. */
export const defaultCacheFolder = join(repository, 'node_modules/.cache/bardo')

/** Changes whenever the world would come out differently: its sources, its bytecode, the pinned packages. */
export function fingerprint(): string {
  const hash = createHash('sha256')
  const files = [
    ...globSync(join(import.meta.dirname, '{deploy,uniswap}/*.ts')),
    ...globSync(join(import.meta.dirname, '*.ts')),
    ...globSync(join(repository, 'contracts/generated/*.ts')),
    ...globSync(join(repository, 'packages/deploy/src/*.ts')),
    join(import.meta.dirname, '../package.json'),
  ]
  for (const file of files.filter((name) => !name.endsWith('.test.ts')).sort())
    hash.update(`${relative(repository, file)}\n`).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/** The saved world of this version, or undefined: there is none yet, or its file is damaged. */
export function readSavedState(folder: string): SavedState | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, `devnet-${fingerprint()}.json`), 'utf8')) as SavedState
  } catch {
    // Nothing is lost: the world is built again, and the file with it.
    return undefined
  }
}

/** Saves a world for the next start, and drops those of other versions. */
export function writeSavedState(folder: string, state: SavedState): void {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `devnet-${fingerprint()}.json`)
  // Two processes may build at once; a rename makes each file appear whole or not at all.
  const draft = join(folder, `draft-${randomUUID()}`)
  writeFileSync(draft, JSON.stringify(state))
  renameSync(draft, file)
  for (const old of globSync(join(folder, 'devnet-*.json'))) if (old !== file) rmSync(old, { force: true })
}
