import { readFile } from 'node:fs/promises'
import { brotliDecompressSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'

/** Unpacks a database folder from a Brotli-compressed tar file. */
export async function restoreFolder(file: string, dataDir: string): Promise<void> {
  const tar = new Uint8Array(brotliDecompressSync(await readFile(file)))
  const database = await PGlite.create({ dataDir, loadDataDir: new Blob([tar]) })
  await database.close()
}

/** Loads a Brotli-compressed SQL dump into an empty database. */
export async function restoreDump(file: string, databaseUrl: string): Promise<void> {
  const sql = brotliDecompressSync(await readFile(file)).toString()
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Reads raw rows of a database folder, without any parsing. */
export async function readRawRows(
  dataDir: string,
  sql: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const database = await PGlite.create({ dataDir })
  try {
    return (await database.query<Record<string, unknown>>(sql)).rows
  } finally {
    await database.close()
  }
}
