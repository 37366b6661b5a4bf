import { chmodSync, existsSync, mkdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { BardoError } from '@bardo/core'
import { PGlite } from '@electric-sql/pglite'
import type { Database, Query, Row } from './database.ts'
import { lockFolder } from './folderLock.ts'
import { asStoreErrors, toStoreError, unwritable } from './storeError.ts'
import { tidyTables } from './tidyTables.ts'

/** PostgreSQL inside this process, in `<home>/db`, which no other process may open meanwhile. */
export type PgliteDatabase = Database & { readonly pglite: PGlite }

type Runner = Pick<PGlite, 'query'>

const tidyEveryMs = 60_000

/** Opens the database of a data folder, and makes it if there is none. */
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
  // PostgreSQL gave up, for want of room on the disk as a rule. Whatever is asked after that is never answered.
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

  // Nobody waits for it, and whatever keeps it from its work is told to whoever asks next.
  const tidy = () => run(() => tidyTables(pglite)).catch(() => [])
  let tidying = tidy()
  const timer = setInterval(() => {
    tidying = tidy()
  }, tidyEveryMs).unref()

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
    // It is one process: nothing can be missed.
    listen: (channel, wake) => run(() => pglite.listen(channel, wake)),
    async close() {
      clearInterval(timer)
      await tidying
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

/** What PGlite needs to begin with: its files and a piece of the write-ahead log. */
const leastBytes = 64 * 2 ** 20

async function create(home: string): Promise<PGlite> {
  const dataDir = join(home, 'db')
  // Half of a new database cannot be opened again: whoever ends this process meanwhile leaves none.
  const forget = () => rmSync(dataDir, { recursive: true, force: true })
  if (!existsSync(dataDir)) process.prependListener('exit', forget)
  try {
    mkdirSync(dataDir, { recursive: true })
    // The folder around it may be somebody's own, and open to all.
    chmodSync(dataDir, 0o700)
    return await PGlite.create({ dataDir })
  } catch (cause) {
    const error = toStoreError(cause)
    if (error instanceof BardoError) throw error
    // PGlite does not say why.
    const { bavail, bsize } = statfsSync(home)
    const details = [join(home, 'db'), `${Math.floor((bavail * bsize) / 2 ** 20)} MB free`]
    const docsPath = 'store.md#when-it-does-not-open'
    if (bavail * bsize < leastBytes) {
      const remedy = `Make room on the disk: ${leastBytes / 2 ** 20} MB at least. Nothing that was stored is lost.`
      throw new BardoError('The disk is full.', {
        code: 'STORE_UNWRITABLE',
        details,
        remedy,
        docsPath,
        cause,
      })
    }
    const remedy = 'Restore a backup of the folder, or move it away to begin anew.'
    throw new BardoError('The database cannot be opened.', {
      code: 'STORE_CORRUPT',
      details,
      remedy,
      docsPath,
      cause,
    })
  } finally {
    process.off('exit', forget)
  }
}
