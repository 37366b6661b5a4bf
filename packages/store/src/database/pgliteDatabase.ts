import { chmodSync, existsSync, mkdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { BardoError } from '@bardo/core'
import { PGlite } from '@electric-sql/pglite'
import type { Database, Query, Row } from './database.ts'
import { lockFolder } from './folderLock.ts'
import { asStoreErrors, toStoreError, unwritable } from './storeError.ts'
import { vacuumTables } from './vacuum.ts'

/** PostgreSQL inside this process, in `<home>/db`. No other process can open it meanwhile. */
export type PgliteDatabase = Database & { readonly pglite: PGlite }

type Runner = Pick<PGlite, 'query'>

const vacuumEveryMs = 60_000

/** Opens the database of a data folder, and creates it if there is none. */
export async function openPglite(home: string, now: number): Promise<PgliteDatabase> {
  const unlock = await asStoreErrors(async () => lockFolder(home, now))
  try {
    return wrap(await create(home), unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

function wrap(pglite: PGlite, unlock: () => void): PgliteDatabase {
  // Set when PostgreSQL has stopped, usually because the disk is full. It answers no query after that.
  let end: unknown

  async function run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (end) throw end
    try {
      return await work()
    } catch (cause) {
      if (isFatal(cause)) end = unwritable(cause)
      throw end ?? toStoreError(cause)
    }
  }
  const queryOn =
    (runner: Runner): Query =>
    (text, values = []) =>
      run(async () => (await runner.query<Row>(text, [...values])).rows)

  // Runs in the background. A failure is reported by the next query.
  const vacuum = () => run(() => vacuumTables(pglite)).catch(() => [])
  let vacuuming = vacuum()
  const timer = setInterval(() => {
    vacuuming = vacuum()
  }, vacuumEveryMs).unref()

  return {
    pglite,
    query: queryOn(pglite),
    transaction: (work) =>
      run(() =>
        pglite.transaction((transaction) =>
          work({
            query: queryOn(transaction),
            script: async (text) => {
              await transaction.exec(text)
            },
          }),
        ),
      ),
    // There is one process: no notification can be missed.
    listen: (channel, wake) => run(() => pglite.listen(channel, wake)),
    async close() {
      clearInterval(timer)
      await vacuuming
      try {
        if (!end) await pglite.close()
      } finally {
        unlock()
      }
    },
  }
}

const isFatal = (error: unknown): error is Error =>
  error instanceof Error && 'severity' in error && /^(FATAL|PANIC)$/.test(String(error.severity))

/** What PGlite needs at the start: its files and a segment of the write-ahead log. */
const minFreeBytes = 64 * 2 ** 20

async function create(home: string): Promise<PGlite> {
  const dataDir = join(home, 'db')
  // A half-created database cannot be opened: remove it if this process exits meanwhile.
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true })
  if (!existsSync(dataDir)) process.prependListener('exit', removeFolder)
  try {
    mkdirSync(dataDir, { recursive: true })
    // The parent folder may be the user's own, and readable by others.
    chmodSync(dataDir, 0o700)
    return await PGlite.create({ dataDir })
  } catch (cause) {
    const error = toStoreError(cause)
    if (error instanceof BardoError) throw error
    // PGlite does not report the reason.
    const { bavail, bsize } = statfsSync(home)
    const details = [join(home, 'db'), `${Math.floor((bavail * bsize) / 2 ** 20)} MB free`]
    const docsPath = 'store.md#when-it-does-not-open'
    if (bavail * bsize < minFreeBytes) {
      const remedy = `Free at least ${minFreeBytes / 2 ** 20} MB on the disk. Nothing that was stored is lost.`
      throw new BardoError('The disk is full.', {
        code: 'STORE_UNWRITABLE',
        details,
        remedy,
        docsPath,
        cause,
      })
    }
    const remedy = 'Restore a backup of the folder, or move the folder away to start with an empty database.'
    throw new BardoError('The database cannot be opened.', {
      code: 'STORE_CORRUPT',
      details,
      remedy,
      docsPath,
      cause,
    })
  } finally {
    process.off('exit', removeFolder)
  }
}
