import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Longer socket paths cannot be bound: `sun_path` has 108 bytes on Linux and 104 on macOS. */
const longest = 100

/** The path of the socket of a data folder. */
export function socketPath(home: string): string {
  const mark = createHash('sha256').update(home).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return `\\\\.\\pipe\\bardo-${mark}`
  const path = join(home, 'office.sock')
  return path.length <= longest ? path : join(tmpdir(), `bardo-${mark}.sock`)
}
