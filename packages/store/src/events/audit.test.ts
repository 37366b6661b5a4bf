import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { migrate } from '../migrations/migrate.ts'
import { migrations } from '../migrations/migrations.ts'
import { eachDatabase } from '../testing/eachDatabase.ts'
import { id } from '../testing/samples.ts'
import { type Audit, createAudit } from './audit.ts'
import { eventHash, noHash } from './eventHash.ts'
import { appendEvents } from './events.ts'

eachDatabase('the audit chain', (newDatabase) => {
  let database: Database
  let audit: Audit
  const run = (text: string, values: readonly unknown[] = []) => database.query(text, values)
  const append = (...golems: number[]) =>
    appendEvents(
      database.query,
      golems.map((n) => ({ golem: id(n), name: 'act', body: { spent: 100n } })),
      1_000,
    )

  beforeAll(async () => {
    database = await (await newDatabase()).openDatabase()
    await migrate(database, migrations, 0)
    audit = createAudit(database.query)
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    await run('DELETE FROM bardo.events')
    await run('DELETE FROM bardo.audit_heads')
    await run('UPDATE bardo.event_counter SET last = 0')
    await append(1, 2, 1)
    await append(2, 1, 1)
  })

  it('is intact for all Golems and for one', async () => {
    const head = await audit.head()
    expect(await audit.verify()).toEqual({ type: 'intact', events: 6, head })
    expect(await audit.verify({ golem: id(1) })).toMatchObject({ type: 'intact', events: 4 })
    expect(await audit.head({ sequence: 6 })).toEqual(head)
  })

  it('has a head that every event changes and that can be computed for earlier events', async () => {
    const before = await audit.head()
    await append(3)
    const after = await audit.head()
    expect(after.hash).not.toBe(before.hash)
    expect(await audit.head({ sequence: before.sequence })).toEqual(before)
    expect(await audit.verify({ anchor: before })).toMatchObject({ type: 'intact' })
  })

  it('is exported so that anyone can verify it', async () => {
    const heads = new Map<string, typeof noHash>()
    let lines = 0
    for await (const line of audit.export()) {
      const { body, hash, ...event } = JSON.parse(line)
      const expected = eventHash(heads.get(event.golem) ?? noHash, event, JSON.stringify(body))
      expect(hash).toBe(expected)
      heads.set(event.golem, hash)
      lines += 1
    }
    expect(lines).toBe(6)
  })

  it('is verified across batches', async () => {
    await append(...Array.from({ length: 2_500 }, (_, n) => n % 7))
    expect(await audit.verify()).toMatchObject({ type: 'intact', events: 2_506 })
  })

  describe('is reported as broken', () => {
    const tamperings: [what: string, why: string, sequence: number, statements: string[]][] = [
      [
        'a body was altered',
        'altered',
        3,
        [`UPDATE bardo.events SET body = '{"spent":1}' WHERE sequence = 3`],
      ],
      ['a name was altered', 'altered', 3, [`UPDATE bardo.events SET name = 'rest' WHERE sequence = 3`]],
      ['a time was altered', 'altered', 3, ['UPDATE bardo.events SET at = 999 WHERE sequence = 3']],
      [
        'a hash was altered',
        'altered',
        6,
        [`UPDATE bardo.events SET hash = repeat('f', 64) WHERE sequence = 6`],
      ],
      ['an event was removed', 'missing', 3, ['DELETE FROM bardo.events WHERE sequence = 3']],
      ['the last event was removed', 'missing', 6, ['DELETE FROM bardo.events WHERE sequence = 6']],
      [
        'a Golem was removed with its head',
        'missing',
        2,
        [
          `DELETE FROM bardo.events WHERE golem = '${id(2)}'`,
          `DELETE FROM bardo.audit_heads WHERE golem = '${id(2)}'`,
        ],
      ],
      [
        'the last event was removed and its head reset',
        'missing',
        6,
        [
          'DELETE FROM bardo.events WHERE sequence = 6',
          `UPDATE bardo.audit_heads SET (sequence, number, hash) = (SELECT sequence, number, hash FROM bardo.events WHERE sequence = 5) WHERE golem = '${id(1)}'`,
        ],
      ],
      [
        'two events were swapped',
        'altered',
        1,
        [
          'UPDATE bardo.events SET sequence = -1 WHERE sequence = 1',
          'UPDATE bardo.events SET sequence = 1, number = 1 WHERE sequence = 3',
          'UPDATE bardo.events SET sequence = 3, number = 2 WHERE sequence = -1',
        ],
      ],
      [
        'an event was assigned to another Golem',
        'inserted',
        2,
        [`UPDATE bardo.events SET golem = '${id(1)}' WHERE sequence = 2`],
      ],
      [
        'an event was inserted at the end',
        'inserted',
        7,
        [
          `INSERT INTO bardo.events SELECT 7, golem, number + 1, name, body, at, hash FROM bardo.events WHERE sequence = 6`,
        ],
      ],
      [
        'an event was inserted and counted',
        'altered',
        7,
        [
          'INSERT INTO bardo.events SELECT 7, golem, number + 1, name, body, at, hash FROM bardo.events WHERE sequence = 6',
          'UPDATE bardo.event_counter SET last = 7',
        ],
      ],
      ['a head was removed', 'inserted', 6, [`DELETE FROM bardo.audit_heads WHERE golem = '${id(1)}'`]],
      ['all events were removed', 'missing', 1, ['DELETE FROM bardo.events']],
    ]
    it.each(tamperings)('if %s', async (_, why, sequence, statements) => {
      for (const statement of statements) await run(statement)
      expect(await audit.verify()).toMatchObject({ type: 'broken', why, sequence })
    })

    it('if everything was rewritten, by a head noted before', async () => {
      const anchor = await audit.head()
      await run('TRUNCATE bardo.events, bardo.audit_heads')
      await run('UPDATE bardo.event_counter SET last = 0')
      expect(await audit.verify()).toMatchObject({ type: 'intact' })
      expect(await audit.verify({ anchor })).toMatchObject({ type: 'broken', why: 'missing', sequence: 6 })
      await append(1, 2, 1, 2, 1, 2, 1)
      expect(await audit.verify()).toMatchObject({ type: 'intact' })
      expect(await audit.verify({ anchor })).toMatchObject({ type: 'broken', why: 'anchor', sequence: 6 })
    })

    it('for one Golem and not for another', async () => {
      await run(`UPDATE bardo.events SET body = '1' WHERE sequence = 3`)
      expect(await audit.verify({ golem: id(1) })).toMatchObject({ type: 'broken', sequence: 3 })
      expect(await audit.verify({ golem: id(2) })).toMatchObject({ type: 'intact' })
    })

    it('for a Golem with one event missing, or all', async () => {
      await run('DELETE FROM bardo.events WHERE sequence = 3')
      await run('DELETE FROM bardo.events WHERE golem = $1', [id(2)])
      expect(await audit.verify({ golem: id(1) })).toMatchObject({ why: 'missing', sequence: 5 })
      expect(await audit.verify({ golem: id(2) })).toMatchObject({ why: 'missing', sequence: 4 })
    })
  })
})
