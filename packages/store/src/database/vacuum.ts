import type { PGlite } from '@electric-sql/pglite'

/**
 * Tables of Bardo with a fifth of dead rows, or grown by a fifth since the last vacuum, plus a constant that
 * skips small ones. The counts of dead rows restart when the database is opened; sizes do not.
 */
const tablesToVacuum = `
  SELECT relid::regclass::text AS name FROM pg_stat_user_tables JOIN pg_class ON oid = relid
  WHERE schemaname IN ('bardo', 'bardo_jobs') AND (n_dead_tup > 0.2 * n_live_tup + 1000
    OR pg_relation_size(relid) / current_setting('block_size')::int > 1.2 * relpages + 16)
  ORDER BY name`

/**
 * Frees the space of dead rows in tables with many, and updates the planner's statistics. PostgreSQL has a
 * background process for that, which PGlite lacks. Returns the tables.
 */
export async function vacuumTables(pglite: Pick<PGlite, 'query' | 'exec'>): Promise<readonly string[]> {
  await pglite.query('SELECT pg_stat_force_next_flush()')
  const { rows } = await pglite.query<{ name: string }>(tablesToVacuum)
  for (const { name } of rows) await pglite.exec(`VACUUM (ANALYZE) ${name}`)
  return rows.map(({ name }) => name)
}
