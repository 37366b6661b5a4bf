import type { PGlite } from '@electric-sql/pglite'

/**
 * Tables of ours of which a fifth is old rows, or which have grown by a fifth since they were looked after; a little more,
 * so that small ones are left alone. The counts of old rows begin anew when the database is opened, and sizes do not.
 */
const untidyTables = `
  SELECT relid::regclass::text AS name FROM pg_stat_user_tables JOIN pg_class ON oid = relid
  WHERE schemaname IN ('bardo', 'bardo_jobs') AND (n_dead_tup > 0.2 * n_live_tup + 1000
    OR pg_relation_size(relid) / current_setting('block_size')::int > 1.2 * relpages + 16)
  ORDER BY name`

/**
 * Frees the room of old rows in tables that have many, and counts the rows anew for the planner. PostgreSQL has a process
 * of its own for that, which PGlite lacks. Returns the tables.
 */
export async function tidyTables(pglite: Pick<PGlite, 'query' | 'exec'>): Promise<readonly string[]> {
  await pglite.query('SELECT pg_stat_force_next_flush()')
  const { rows } = await pglite.query<{ name: string }>(untidyTables)
  for (const { name } of rows) await pglite.exec(`VACUUM (ANALYZE) ${name}`)
  return rows.map(({ name }) => name)
}
