import { createHash } from 'node:crypto'
import { BardoError } from '@bardo/core'
import { z } from 'zod'
import { integer } from '../database/columns.ts'
import type { Database, Session } from '../database/database.ts'
import type { Migration } from './migration.ts'

const applied = z.object({ version: integer, checksum: z.string() })

/** Any number that nothing else in the database locks. */
const lockKey = 0x6261_7264

/**
 * Brings the schema to the last of `migrations`. Each is one transaction; of several processes that start at once, one
 * applies it and the others wait. A database that knows more than this program is left as it is.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  now: number,
): Promise<void> {
  let pending = true
  while (pending) pending = await database.transaction((session) => applyNext(session, migrations, now))
}

/** Applies the first migration that is missing. False if none is. */
async function applyNext(session: Session, migrations: readonly Migration[], now: number): Promise<boolean> {
  await session.query('SELECT pg_advisory_xact_lock($1)', [lockKey])
  const known = await readApplied(session)
  requireKnown(known, migrations)
  const next = migrations[known.length]
  if (!next) return false
  if (known.length === 0) await session.script(beginning)
  await session.script(next.sql)
  await session.query(
    'INSERT INTO bardo.migrations (version, name, checksum, applied_at) VALUES ($1, $2, $3, $4)',
    [next.version, next.name, checksumOf(next), now],
  )
  return true
}

const beginning = `
CREATE SCHEMA IF NOT EXISTS bardo;
CREATE TABLE bardo.migrations (version int PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at bigint NOT NULL);
`

async function readApplied(session: Session) {
  // Read as a table, and not by name: a name is looked up in a cache that does not see what was made during the wait.
  const [table] = await session.query(
    "SELECT 1 AS is_there FROM pg_catalog.pg_tables WHERE schemaname = 'bardo' AND tablename = 'migrations'",
  )
  if (!table) return []
  const rows = await session.query('SELECT version, checksum FROM bardo.migrations ORDER BY version')
  return rows.map((row) => applied.parse(row))
}

function requireKnown(known: readonly z.output<typeof applied>[], migrations: readonly Migration[]) {
  if (known.length > migrations.length) {
    throw new BardoError('The database belongs to a newer version of Bardo.', {
      code: 'STORE_NEWER',
      details: [`its schema is at ${known.length}, this program knows ${migrations.length}`],
      remedy: 'Start the newer version, or restore a backup from before the upgrade.',
      docsPath: 'store.md#upgrades',
    })
  }
  known.forEach(({ version, checksum }, index) => {
    const migration = migrations[index]
    if (migration?.version === version && checksumOf(migration) === checksum) return
    throw new BardoError('The database was made by other migrations than this program has.', {
      code: 'STORE_CHANGED',
      details: [`migration ${version} differs`],
      remedy:
        'Start the version of Bardo that made it. A released migration is never edited: add another one.',
      docsPath: 'store.md#upgrades',
    })
  })
}

function checksumOf({ name, sql }: Migration): string {
  return createHash('sha256').update(`${name}\n${sql}`).digest('hex')
}
