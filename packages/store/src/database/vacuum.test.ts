import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { vacuumTables } from './vacuum.ts'

let pglite: PGlite
beforeAll(async () => {
  pglite = await PGlite.create()
  await pglite.exec(`
    CREATE SCHEMA bardo; CREATE SCHEMA other;
    CREATE TABLE bardo.busy (id int PRIMARY KEY, body text);
    CREATE TABLE bardo.calm (id int PRIMARY KEY, body text);
    CREATE TABLE other.busy (id int PRIMARY KEY, body text);
    INSERT INTO bardo.calm SELECT n, repeat('x', 100) FROM generate_series(1, 100) n;
    INSERT INTO other.busy SELECT n, repeat('x', 100) FROM generate_series(1, 2000) n;
    INSERT INTO bardo.busy SELECT n, repeat('x', 100) FROM generate_series(1, 2000) n;`)
})
afterAll(() => pglite.close())

const change = () => pglite.exec(`UPDATE bardo.busy SET body = repeat('y', 100)`)
async function size(): Promise<number> {
  const { rows } = await pglite.query<{ size: number }>(`SELECT pg_relation_size('bardo.busy')::int AS size`)
  return rows[0]?.size ?? 0
}

it('vacuums tables of Bardo that have grown, and no others', async () => {
  expect(await vacuumTables(pglite)).toEqual(['bardo.busy'])
  const { rows } = await pglite.query(`SELECT reltuples FROM pg_class WHERE oid = 'bardo.busy'::regclass`)
  expect(rows).toEqual([{ reltuples: 2000 }])
  expect(await vacuumTables(pglite)).toEqual([])
})

it('keeps a frequently updated table from growing', async () => {
  await change()
  await vacuumTables(pglite)
  const settled = await size()
  for (let round = 0; round < 20; round += 1) {
    await change()
    await vacuumTables(pglite)
  }
  expect(await size()).toBeLessThanOrEqual(settled * 1.5)
  for (let round = 0; round < 20; round += 1) await change()
  // Without a vacuum the table does grow.
  expect(await size()).toBeGreaterThan(settled * 5)
})
