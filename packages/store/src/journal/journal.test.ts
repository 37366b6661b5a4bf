import { describeJournal } from '@bardo/core/testing/journal'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { migrate } from '../migrations/migrate.ts'
import { migrations } from '../migrations/migrations.ts'
import { eachDatabase, type Place } from '../testing/eachDatabase.ts'
import { createJournal } from './journal.ts'

eachDatabase('the journal', (newPlace) => {
  let place: Place
  let database: Database
  beforeAll(async () => {
    place = await newPlace()
    database = await place.openDatabase()
    await migrate(database, migrations, 0)
  })
  afterAll(() => database.close())

  describeJournal('what every journal promises', async () => {
    await database.query('TRUNCATE bardo.journal')
    return createJournal(database.query)
  })

  it('has all of it again after a restart', async () => {
    const from = '0x00000000000000000000000000000000000000Aa'
    const intent = { id: 'kept', chainId: 1, from, to: from, value: 2n ** 255n, data: '0x', gas: 1n } as const
    await createJournal(database.query).addIntent(intent, 1)
    await database.close()
    database = await place.openDatabase()
    expect((await createJournal(database.query).find('kept'))?.intent).toEqual(intent)
  })
})
