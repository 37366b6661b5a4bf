import { describeJournal } from '@bardo/core/testing/journal'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { migrate } from '../migrations/migrate.ts'
import { migrations } from '../migrations/migrations.ts'
import { eachDatabase, type TestDatabase } from '../testing/eachDatabase.ts'
import { createJournal } from './journal.ts'

eachDatabase('the journal', (newDatabase) => {
  let testDatabase: TestDatabase
  let database: Database
  beforeAll(async () => {
    testDatabase = await newDatabase()
    database = await testDatabase.openDatabase()
    await migrate(database, migrations, 0)
  })
  afterAll(() => database.close())

  describeJournal('behaves like every journal', async () => {
    await database.query('TRUNCATE bardo.journal')
    return createJournal(database.query)
  })

  it('keeps everything across a restart', async () => {
    const from = '0x00000000000000000000000000000000000000Aa'
    const intent = {
      id: 'stored',
      chainId: 1,
      from,
      to: from,
      value: 2n ** 255n,
      data: '0x',
      gas: 1n,
    } as const
    await createJournal(database.query).addIntent(intent, 1)
    await database.close()
    database = await testDatabase.openDatabase()
    expect((await createJournal(database.query).find('stored'))?.intent).toEqual(intent)
  })
})
