import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestDatabase } from './eachDatabase.ts'

/** A store in another process. */
export type StoreProcess = {
  readonly child: ChildProcess
  /** The lines that it has printed so far. */
  readonly lines: readonly string[]
  /** Waits for the first matching line. */
  printed(fits: (line: string) => boolean): Promise<string>
  /** Kills it, as a power cut would, and waits for its end. */
  kill(): Promise<void>
}

/**
 * Starts `storeProcess.ts` for a database. `fileKilobytes` is the maximum size of any file that it writes.
 */
export function startStoreProcess(
  location: TestDatabase['location'],
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
    for (const check of waiting) check()
  })

  return {
    child,
    lines,
    printed: (fits) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const line = lines.find(fits)
          if (line === undefined) return
          waiting.delete(check)
          resolve(line)
        }
        waiting.add(check)
        check()
        exited.then(() =>
          setImmediate(() => reject(new Error(`the process ended; its output: ${lines.join(' | ')}`))),
        )
      }),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
