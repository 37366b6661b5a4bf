import { linkSync, mkdirSync, readFileSync, renameSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { BardoError } from '@bardo/core'
import { z } from 'zod'

const lockSchema = z.object({
  pid: z.int().positive(),
  host: z.string(),
  /** When that process began, where the system says so: a pid is used again. */
  born: z.string().optional(),
  lockedAt: z.number(),
})
type Lock = z.output<typeof lockSchema>

/**
 * Takes the data folder for this process, and makes it if need be. The lock of a process that is gone is taken over.
 * Returns how to give it back; that also happens when the process ends by itself.
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
 * Replaces the lock of a process that is gone. One process at a time looks and replaces: of two that saw the same old
 * lock, the slower would otherwise remove the new one of the faster.
 */
function takeOver(path: string, text: string) {
  const turn = `${path}.turn`
  if (!createFolder(turn)) throw locked(path, 'Another process is just taking it over.', turn)
  try {
    // Given back in the meantime: it is anybody's.
    if (createFile(path, text)) return
    const holder = readLock(readText(path) ?? '')
    if (!holder) throw locked(path, 'The lock cannot be read.', path)
    if (isAlive(holder)) {
      const { pid, host, lockedAt } = holder
      const since = new Date(lockedAt).toISOString()
      throw locked(path, `process ${pid} on ${host} has it open since ${since}`, path)
    }
    writeFileSync(`${turn}/lock`, text)
    renameSync(`${turn}/lock`, path)
  } finally {
    rmdirSync(turn)
  }
}

function isAlive({ pid, host, born }: Lock): boolean {
  // Nobody can tell from here what runs on another machine.
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Anything but "no such process" means that there is one.
    if (hasCode(error, 'ESRCH')) return false
  }
  return born === undefined || bornAt(pid) === born
}

/** The boot and the tick in which a process began. Linux says so; elsewhere the pid has to do. */
function bornAt(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in brackets, may hold anything; the start is the 20th field after it.
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

/** Makes the file with its text at once: a crash leaves none that is half written. */
function createFile(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  try {
    return unless('EEXIST', () => linkSync(draft, path))
  } finally {
    unlinkSync(draft)
  }
}

function createFolder(path: string): boolean {
  return unless('EEXIST', () => mkdirSync(path))
}

function unless(code: string, act: () => void): boolean {
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
    remedy: `Stop that process, set BARDO_HOME to another folder, or use PostgreSQL by DATABASE_URL. If it is gone for certain, delete ${remove}.`,
    docsPath: 'store.md#when-it-does-not-open',
  })
}
