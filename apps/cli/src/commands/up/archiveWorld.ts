import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/** Moves the old chain and its database to a dated folder, and returns its path. Deletes nothing. */
export function archiveWorld(home: string, now: Date): string {
  const folder = join(home, `aside-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of ['db', 'world.json'])
    if (existsSync(join(home, name))) renameSync(join(home, name), join(folder, name))
  return folder
}
