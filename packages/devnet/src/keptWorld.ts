import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fingerprint, type SavedState } from './savedState.ts'

/** Somebody's own world: what was built, the chain as they left it, and the version of Bardo that it is of. */
export type KeptWorld = SavedState & { readonly version: string }

/** What a file holds. */
export type FoundWorld =
  | { readonly is: 'none' }
  | { readonly is: 'kept'; readonly kept: KeptWorld }
  /** Of other contracts than today's, or half written. */
  | { readonly is: 'unusable'; readonly because: string }

/** Looks for a world that was kept in a file. */
export function readKeptWorld(file: string): FoundWorld {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { is: 'none' }
    throw error
  }
  const kept = parse(text)
  if (!kept) return { is: 'unusable', because: 'its file is damaged' }
  if (kept.version !== fingerprint()) return { is: 'unusable', because: 'it is of another version of Bardo' }
  return { is: 'kept', kept }
}

/** Keeps a world in a file, which appears whole or not at all. */
export function writeKeptWorld(file: string, kept: KeptWorld): void {
  const draft = `${file}.draft`
  writeFileSync(draft, JSON.stringify(kept), { mode: 0o600 })
  renameSync(draft, file)
}

function parse(text: string): KeptWorld | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isKept(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isKept(value: unknown): value is KeptWorld {
  return (
    typeof value === 'object' && value !== null && 'version' in value && 'world' in value && 'dump' in value
  )
}
