import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Place } from './eachDatabase.ts'

/** A store in another process. */
export type StoreProcess = {
  readonly child: ChildProcess
  /** What it has said so far. */
  readonly lines: readonly string[]
  /** Waits for the first line that fits. */
  said(fits: (line: string) => boolean): Promise<string>
  /** Ends it as a power cut would, and waits for that. */
  kill(): Promise<void>
}

/** Starts `storeProcess.ts` on a place. `fileKilobytes` is the size beyond which it cannot write to any file. */
export function startStoreProcess(
  location: Place['location'],
  task: string,
  {
    argument = '',
    fileKilobytes = 'unlimited',
  }: { argument?: string; fileKilobytes?: number | 'unlimited' } = {},
): StoreProcess {
  const script = join(import.meta.dirname, 'storeProcess.ts')
  const command = [process.execPath, script, JSON.stringify(location), task, argument]
  const child = spawn('bash', ['-c', 'ulimit -f "$0" && exec "$@"', String(fileKilobytes), ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    for (const look of waiting) look()
  })

  return {
    child,
    lines,
    said: (fits) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const line = lines.find(fits)
          if (line === undefined) return
          waiting.delete(look)
          resolve(line)
        }
        waiting.add(look)
        look()
        exited.then(() => setImmediate(() => reject(new Error(`it ended and said: ${lines.join(' | ')}`))))
      }),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
