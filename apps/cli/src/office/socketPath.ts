import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Longer ones cannot be bound. Origin: `sun_path` of Linux (108) and macOS (104). */
const longest = 100

/** Where the office of a data folder listens. */
export function socketPath(home: string): string {
  const mark = createHash('sha256').update(home).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return `\\\\.\\pipe\\bardo-${mark}`
  const path = join(home, 'office.sock')
  return path.length <= longest ? path : join(tmpdir(), `bardo-${mark}.sock`)
}
