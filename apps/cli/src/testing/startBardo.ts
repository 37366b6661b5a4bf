import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** A JSON line of `bardo … --json`. */
export type BardoLine = Readonly<Record<string, unknown>>

/** A running `bardo` process. */
export type RunningBardo = {
  readonly pid: number
  /** The first line that matches, past or future. */
  until(isIt: (line: BardoLine) => boolean): Promise<BardoLine>
  signal(name: NodeJS.Signals): void
  /** Its exit. */
  readonly ended: Promise<{ readonly exit: number | null; readonly stderr: string }>
}

const binary = join(import.meta.dirname, '../../bin/bardo.js')

/** Starts `bardo` with `--json`, without a configured node or database. */
export function startBardo(words: readonly string[], env: NodeJS.ProcessEnv = {}): RunningBardo {
  const child = spawn(process.execPath, [binary, ...words, '--json'], {
    env: { ...process.env, BARDO_RPC_URL: '', DATABASE_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: BardoLine[] = []
  let waiting: (() => void)[] = []
  let rest = ''
  let stderr = ''
  let isOver = false
  const wake = () => {
    const all = waiting
    waiting = []
    for (const one of all) one()
  }
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) lines.push(JSON.parse(part))
    wake()
  })
  const ended = new Promise<{ exit: number | null; stderr: string }>((resolve) =>
    child.on('close', (exit) => {
      isOver = true
      wake()
      resolve({ exit, stderr })
    }),
  )
  return {
    pid: child.pid ?? 0,
    ended,
    signal: (name) => void child.kill(name),
    async until(isIt) {
      for (;;) {
        const line = lines.find(isIt)
        if (line) return line
        if (isOver) throw new Error(`bardo has ended: ${stderr}`)
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
  }
}
