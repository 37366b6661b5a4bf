import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { eachDatabase, type TestDatabase } from '../testing/eachDatabase.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migration.ts'
import { migrations } from './migrations.ts'

const first: Migration = {
  version: 1,
  name: 'one',
  sql: 'CREATE TABLE bardo.one (n int); INSERT INTO bardo.one VALUES (1);',
}
const second: Migration = { version: 2, name: 'two', sql: 'UPDATE bardo.one SET n = n + 1;' }
const broken: Migration = { version: 3, name: 'three', sql: 'UPDATE bardo.one SET n = 9; SELECT 1 / 0;' }

eachDatabase('migrations', (newDatabase, kind) => {
  let testDatabase: TestDatabase
  let database: Database
  beforeAll(async () => {
    testDatabase = await newDatabase()
    database = await testDatabase.openDatabase()
  })
  afterAll(() => database.close())
  beforeEach(() => database.query('DROP SCHEMA IF EXISTS bardo CASCADE'))

  const n = async () => (await database.query('SELECT n FROM bardo.one'))[0]?.['n']
  it('are applied in order, once, and continue from the last one', async () => {
    await migrate(database, [first], 1)
    await migrate(database, [first, second], 2)
    await migrate(database, [first, second], 3)
    expect(await n()).toBe(2)
    const applied = await database.query('SELECT version, applied_at FROM bardo.migrations ORDER BY version')
    expect(applied.map((row) => [Number(row['version']), Number(row['applied_at'])])).toEqual([
      [1, 1],
      [2, 2],
    ])
  })

  it('that fail leave no changes', async () => {
    await expect(migrate(database, [first, second, broken], 1)).rejects.toThrow(/division by zero/)
    expect(await n()).toBe(2)
    await migrate(database, [first, second, { ...broken, sql: 'UPDATE bardo.one SET n = 3' }], 1)
    expect(await n()).toBe(3)
  })

  it('do not change a database of a newer version', async () => {
    await migrate(database, [first, second], 1)
    await expect(migrate(database, [first], 1)).rejects.toMatchObject({ code: 'STORE_NEWER' })
    await expect(migrate(database, [], 1)).rejects.toMatchObject({ code: 'STORE_NEWER' })
    expect(await n()).toBe(2)
  })

  it('detect a migration that was edited after it was applied, before any change', async () => {
    await migrate(database, [first], 1)
    const edited = { ...first, sql: `${first.sql} -- harmless` }
    await expect(migrate(database, [edited, second], 1)).rejects.toMatchObject({ code: 'STORE_CHANGED' })
    expect(await n()).toBe(1)
  })

  it('run once when many workers start at the same time', async () => {
    // A folder has only one worker.
    const others = kind === 'postgres' ? [1, 2, 3, 4, 5, 6, 7] : []
    const workers = await Promise.all(others.map(() => testDatabase.openDatabase()))
    await Promise.all([database, database, ...workers].map((worker) => migrate(worker, [first, second], 1)))
    expect(await n()).toBe(2)
    await Promise.all(workers.map((worker) => worker.close()))
  })

  it('of Bardo run on an empty database', async () => {
    await migrate(database, migrations, 1)
    const tables = await database.query(
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'bardo'",
    )
    expect(tables).toHaveLength(21)
  })
})
