import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { Database, Query, Row } from './database.ts'
import { lockFolder } from './folderLock.ts'
import { asStoreErrors } from './storeError.ts'

/** PostgreSQL inside this process, in `<home>/db`, which no other process may open meanwhile. */
export type PgliteDatabase = Database & { readonly pglite: PGlite }

type Runner = Pick<PGlite, 'query'>

/** Opens the database of a data folder, and makes it if there is none. */
export async function openPglite(home: string, now: number): Promise<PgliteDatabase> {
  const unlock = await asStoreErrors(async () => lockFolder(home, now))
  try {
    const pglite = await asStoreErrors(() => PGlite.create({ dataDir: join(home, 'db') }))
    return {
      pglite,
      query: queryOn(pglite),
      transaction: (work) =>
        asStoreErrors(() =>
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
      listen: (channel, wake) => pglite.listen(channel, wake),
      async close() {
        try {
          await pglite.close()
        } finally {
          unlock()
        }
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

function queryOn(runner: Runner): Query {
  return (text, values = []) => asStoreErrors(async () => (await runner.query<Row>(text, [...values])).rows)
}
