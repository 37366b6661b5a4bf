import { createHash } from 'node:crypto'
import { BardoError } from '@bardo/core'
import { z } from 'zod'
import { integer } from '../database/columns.ts'
import type { Database, Session } from '../database/database.ts'
import type { Migration } from './migration.ts'

const applied = z.object({ version: integer, checksum: z.string() })

/** An arbitrary key that no other advisory lock uses. */
const lockKey = 0x6261_7264

/**
 * Migrates the schema to the last of `migrations`. Each migration is one transaction; of several processes
 * that start at the same time, one applies it and the others wait. A database with more migrations than this
 * program is not changed.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  now: number,
): Promise<void> {
  let pending = true
  while (pending) pending = await database.transaction((session) => applyNext(session, migrations, now))
}

/** Applies the first missing migration. False if none is missing. */
async function applyNext(session: Session, migrations: readonly Migration[], now: number): Promise<boolean> {
  await session.query('SELECT pg_advisory_xact_lock($1)', [lockKey])
  const appliedRows = await readApplied(session)
  requireMatching(appliedRows, migrations)
  const next = migrations[appliedRows.length]
  if (!next) return false
  if (appliedRows.length === 0) await session.script(initialSchema)
  await session.script(next.sql)
  await session.query(
    'INSERT INTO bardo.migrations (version, name, checksum, applied_at) VALUES ($1, $2, $3, $4)',
    [next.version, next.name, checksumOf(next), now],
  )
  return true
}

const initialSchema = `
CREATE SCHEMA IF NOT EXISTS bardo;
CREATE TABLE bardo.migrations (version int PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at bigint NOT NULL);
`

async function readApplied(session: Session) {
  // Read from the catalogue, not by name: name lookups use a cache that misses tables created during the
  // wait.
  const [table] = await session.query(
    "SELECT 1 AS is_there FROM pg_catalog.pg_tables WHERE schemaname = 'bardo' AND tablename = 'migrations'",
  )
  if (!table) return []
  const rows = await session.query('SELECT version, checksum FROM bardo.migrations ORDER BY version')
  return rows.map((row) => applied.parse(row))
}

function requireMatching(appliedRows: readonly z.output<typeof applied>[], migrations: readonly Migration[]) {
  if (appliedRows.length > migrations.length) {
    throw new BardoError('The database belongs to a newer version of Bardo.', {
      code: 'STORE_NEWER',
      details: [
        `its schema is at version ${appliedRows.length}, this program has ${migrations.length} migrations`,
      ],
      remedy: 'Start the newer version, or restore a backup from before the upgrade.',
      docsPath: 'store.md#upgrades',
    })
  }
  appliedRows.forEach(({ version, checksum }, index) => {
    const migration = migrations[index]
    if (migration?.version === version && checksumOf(migration) === checksum) return
    throw new BardoError('The database was created with different migrations than this program has.', {
      code: 'STORE_CHANGED',
      details: [`migration ${version} differs`],
      remedy: 'Start the version of Bardo that created it. Never edit a released migration: add a new one.',
      docsPath: 'store.md#upgrades',
    })
  })
}

function checksumOf({ name, sql }: Migration): string {
  return createHash('sha256').update(`${name}\n${sql}`).digest('hex')
}
