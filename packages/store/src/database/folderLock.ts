import { linkSync, mkdirSync, readFileSync, renameSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { BardoError } from '@bardo/core'
import { z } from 'zod'

const lockSchema = z.object({
  pid: z.int().positive(),
  host: z.string(),
  /** When that process started, if the system reports it: pids are reused. */
  born: z.string().optional(),
  lockedAt: z.number(),
})
type Lock = z.output<typeof lockSchema>

/**
 * Locks the data folder for this process, and creates it if needed. The lock of a process that is gone is
 * taken over. Returns a function that releases it; the exit of the process releases it too.
 */
export function lockFolder(home: string, now: number): () => void {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const path = join(home, 'db.lock')
  const born = bornAt(process.pid)
  const own: Lock = { pid: process.pid, host: hostname(), lockedAt: now, ...(born && { born }) }
  const text = `${JSON.stringify(own)}\n`
  if (!createFile(path, text)) takeOver(path, text)

  let held = true
  const release = () => {
    process.off('exit', release)
    if (held && readText(path) === text) unlinkSync(path)
    held = false
  }
  process.on('exit', release)
  return release
}

/**
 * Replaces the lock of a process that is gone. One process at a time checks and replaces: otherwise, of two
 * that read the same old lock, the slower would remove the new lock of the faster.
 */
function takeOver(path: string, text: string) {
  const turn = `${path}.turn`
  if (!createFolder(turn)) throw locked(path, 'Another process is taking it over.', turn)
  try {
    // Released in the meantime.
    if (createFile(path, text)) return
    const holder = readLock(readText(path) ?? '')
    if (!holder) throw locked(path, 'The lock file is unreadable.', path)
    if (isAlive(holder)) {
      const { pid, host, lockedAt } = holder
      const since = new Date(lockedAt).toISOString()
      throw locked(path, `process ${pid} on ${host} has had it open since ${since}`, path)
    }
    writeFileSync(`${turn}/lock`, text)
    renameSync(`${turn}/lock`, path)
  } finally {
    rmdirSync(turn)
  }
}

function isAlive({ pid, host, born }: Lock): boolean {
  // Processes on another machine cannot be checked from here.
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Any other error than "no such process" means that it exists.
    if (hasCode(error, 'ESRCH')) return false
  }
  return born === undefined || bornAt(pid) === born
}

/** The boot and the tick in which a process started. Only Linux reports it; elsewhere the pid must do. */
function bornAt(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in brackets, may contain anything; the start is the 20th field after it.
    return `${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return undefined
  }
}

function readLock(text: string): Lock | undefined {
  try {
    return lockSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Creates the file with its text atomically: a crash never leaves a partial file. */
function createFile(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  try {
    return succeedsUnless('EEXIST', () => linkSync(draft, path))
  } finally {
    unlinkSync(draft)
  }
}

function createFolder(path: string): boolean {
  return succeedsUnless('EEXIST', () => mkdirSync(path))
}

function succeedsUnless(code: string, act: () => void): boolean {
  try {
    act()
    return true
  } catch (error) {
    if (hasCode(error, code)) return false
    throw error
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

function locked(path: string, why: string, remove: string) {
  return new BardoError('The data folder is in use by another process.', {
    code: 'STORE_LOCKED',
    details: [path, why],
    remedy: `Stop that process, set BARDO_HOME to another folder, or use PostgreSQL with DATABASE_URL. If you are sure that it no longer runs, delete ${remove}.`,
    docsPath: 'store.md#when-it-does-not-open',
  })
}
