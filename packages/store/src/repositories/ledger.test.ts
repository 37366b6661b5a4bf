import { allotmentGranted, gasPaid, type LedgerTransaction, moveEntries } from '@bardo/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import type { Store } from '../openStore.ts'
import { eachDatabase, type TestDatabase } from '../testing/eachDatabase.ts'
import { account, id, sampleGolem } from '../testing/samples.ts'

const day = 86_400
const gas = (n: number, wei = 10n, at = day): LedgerTransaction =>
  gasPaid({
    source: `gas:${n}`,
    at,
    details: { intent: `intent ${n}` },
    wei,
    payer: 'key',
    value: { micros: 7n, price: 3n, block: 9n },
  })

eachDatabase('the ledger', (newDatabase, kind) => {
  let at: TestDatabase
  let store: Store
  beforeAll(async () => {
    at = await newDatabase()
    store = await at.open()
    for (let n = 1; n <= 9; n += 1) {
      await store.golems.create(sampleGolem(n))
      await store.golemStates.begin(id(n), { tick: 0 })
    }
  })
  afterAll(() => store.close())

  const post = async (n: number, transactions: readonly LedgerTransaction[], into = store) => {
    const { number } = await into.ledger.state(id(n))
    await into.transaction(({ post: add }) => add(id(n), { after: number, transactions, records: [] }))
  }

  it('lists newest first, in pages, and adds up balances and totals between two times', async () => {
    await post(1, [allotmentGranted('0x1', { micros: 30n, start: 1, at: day }), gas(1)])
    await post(1, [
      gas(2, 5n, 3 * day),
      { ...gas(3, 2n, 3 * day), entries: moveEntries('key', 'gas', 'native', 2n) },
    ])
    const listed = await store.ledger.list({ golem: id(1), limit: 3 })
    expect(listed.map(({ number, source }) => [number, source])).toEqual([
      [4, 'gas:3'],
      [3, 'gas:2'],
      [2, 'gas:1'],
    ])
    expect(listed[1]).toMatchObject({ ...gas(2, 5n, 3 * day) })
    expect(await store.ledger.list({ golem: id(1), before: 2 })).toHaveLength(1)
    expect(await store.ledger.balances(id(1))).toEqual([
      { account: 'allotment', asset: 'usd', amount: 30n },
      { account: 'gas', asset: 'native', amount: 17n },
      { account: 'key', asset: 'native', amount: -17n },
      { account: 'owner', asset: 'usd', amount: -30n },
    ])
    expect(await store.ledger.totals(id(1), 2 * day, 4 * day)).toEqual([
      { account: 'gas', day: 2, micros: 7n },
      { account: 'key', day: 2, micros: -7n },
    ])
    expect(await store.ledger.unpriced(id(1))).toMatchObject([
      { account: 'gas', amount: 2n },
      { account: 'key' },
    ])
    expect(await store.ledger.state(id(1))).toMatchObject({
      number: 4,
      since: day,
      allotment: 'allotment:1',
      postedDays: 0,
      hasUnposted: false,
      lifetime: expect.arrayContaining([{ account: 'gas', day: -1, micros: 14n }]),
      recent: expect.arrayContaining([
        { account: 'gas', day: 1, micros: 7n },
        { account: 'gas', day: 3, micros: 7n },
      ]),
    })
  })

  it('adds nothing for a source that is stored already, also beside a new one', async () => {
    await post(2, [gas(1)])
    const before = await store.ledger.balances(id(2))
    await post(2, [gas(1, 99n)])
    expect(await store.ledger.balances(id(2))).toEqual(before)
    await post(2, [gas(1, 99n), gas(2), gas(2)])
    expect((await store.ledger.list({ golem: id(2) })).map(({ number }) => number)).toEqual([2, 1])
    // The same source of another Golem is another one.
    await post(3, [gas(1)])
    expect(await store.ledger.list({ golem: id(3) })).toHaveLength(1)
  })

  it('lets one of two writers add what both computed from the same ledger', async () => {
    const other = kind === 'postgres' ? await at.open() : store
    const results = await Promise.allSettled(
      [store, other, store, other].map((one, n) =>
        one.transaction(({ post: add }) =>
          add(id(4), { after: 0, transactions: [n < 2 ? gas(1) : gas(2)], records: [] }),
        ),
      ),
    )
    expect(results.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ])
    expect(await store.ledger.list({ golem: id(4) })).toHaveLength(1)
    if (other !== store) await other.close()
  })

  it('is written with the state of a tick, or not at all', async () => {
    const record = (version: number, after: number) => ({
      golem: id(5),
      version,
      state: { tick: version },
      row: { status: 'alive', phase: 'stable', nextTick: 1 } as const,
      notes: [],
      events: [{ golem: id(5), name: 'heartbeat.ticked', body: {} }],
      posting: { after, transactions: [gas(version)], records: [] },
    })
    expect(await store.ticks.save(record(1, 0))).toBe(true)
    expect(await store.ticks.save(record(1, 1))).toBe(false)
    expect(await store.ledger.list({ golem: id(5) })).toHaveLength(1)
    // Computed from an outdated ledger: the tick counts, and the next one posts it.
    expect(await store.ticks.save(record(2, 0))).toBe(true)
    expect(await store.ledger.list({ golem: id(5) })).toHaveLength(1)
    const names = (await store.events.read({ after: 0, golem: id(5) })).map(({ name }) => name)
    expect(names).toEqual(['heartbeat.ticked', 'ledger.posted', 'heartbeat.ticked'])
  })

  it('refuses entries that do not add up to zero, and leaves nothing of the transaction', async () => {
    const [entry] = gas(1).entries
    if (!entry) throw new Error('no entry')
    await expect(post(6, [gas(2), { ...gas(1), entries: [entry] }])).rejects.toThrow('do not add up to zero')
    expect(await store.ledger.list({ golem: id(6) })).toEqual([])
  })

  it('shows the ended transactions of a key until they are posted, and again after a reorganisation', async () => {
    const from = account(40)
    await store.sessionKeys.add({ publicKey: '0x07', golem: id(7), curve: 'secp256k1', address: from })
    const intent = { id: 'send 7', chainId: 1, from, to: from, value: 0n, data: '0x', gas: 1n } as const
    await store.journal.addIntent(intent, 0)
    await store.journal.claimNonce(intent.id, 0)
    expect((await store.ledger.state(id(7))).hasUnposted).toBe(false)
    const mined = { hash: id(1), blockNumber: 1n, blockHash: id(2), status: 'success' } as const
    await store.journal.settle(intent.id, { kind: 'landed', mined })
    expect((await store.ledger.state(id(7))).hasUnposted).toBe(true)
    const records = await store.ledger.unposted(id(7), 10)
    expect(records.map((one) => one.intent.id)).toEqual([intent.id])
    const postIt = (after: number) =>
      store.transaction(({ post: add }) => add(id(7), { after, transactions: [gas(after)], records }))
    await postIt(0)
    expect((await store.ledger.state(id(7))).hasUnposted).toBe(false)
    expect(await store.ledger.ofIntent(id(7), 'intent 0')).toHaveLength(1)
    await store.journal.reopen(intent.id, false)
    await store.journal.settle(intent.id, { kind: 'landed', mined: { ...mined, blockHash: id(3) } })
    // What was read before the reorganisation does not mark the new outcome.
    await postIt(1)
    expect((await store.ledger.state(id(7))).hasUnposted).toBe(true)
  })
})

eachDatabase('a forged ledger', (newDatabase) => {
  /** A ledger, changed by a person who can write to the database. */
  async function forged(change: (database: Database) => Promise<unknown>) {
    const at = await newDatabase()
    const store = await at.open()
    await store.golems.create(sampleGolem(1))
    await store.transaction(({ post }) =>
      post(id(1), { after: 0, transactions: [gas(1), gas(2)], records: [] }),
    )
    expect(await store.ledger.verify()).toEqual({ type: 'intact', transactions: 2 })
    await store.close()
    const database = await at.openDatabase()
    await change(database)
    await database.close()
    const again = await at.open()
    const reports = [await again.ledger.verify(), await again.ledger.verify(id(1))]
    await again.close()
    expect(reports[0]).toEqual(reports[1])
    return reports[0]
  }
  const off = async (database: Database) => {
    for (const table of ['ledger_transactions', 'ledger_entries'])
      await database.query(`ALTER TABLE bardo.${table} DISABLE TRIGGER USER`)
  }

  it('cannot be updated, deleted or unbalanced with the triggers', async () => {
    await forged(async (database) => {
      const attempts = [
        'UPDATE bardo.ledger_entries SET amount = 1',
        'DELETE FROM bardo.ledger_transactions',
        'TRUNCATE bardo.ledger_entries',
        'INSERT INTO bardo.ledger_entries SELECT golem, number, 9, account, asset, amount FROM bardo.ledger_entries LIMIT 1',
      ]
      for (const attempt of attempts)
        await expect(database.query(attempt)).rejects.toThrow(/append-only|add up to zero/)
    })
  })

  it.each([
    ['an altered amount', 'altered', 'UPDATE bardo.ledger_entries SET amount = amount * 2 WHERE number = 1'],
    ['an altered price', 'altered', 'UPDATE bardo.ledger_entries SET price = 1 WHERE number = 1'],
    ['another account', 'altered', "UPDATE bardo.ledger_entries SET account = 'gains' WHERE account = 'gas'"],
    ['another time', 'altered', 'UPDATE bardo.ledger_transactions SET at = 5 WHERE number = 2'],
    ['a deleted entry', 'altered', 'DELETE FROM bardo.ledger_entries WHERE number = 2'],
    ['a deleted transaction', 'missing', 'DELETE FROM bardo.ledger_transactions WHERE number = 1'],
    [
      'an inserted transaction',
      'inserted',
      `INSERT INTO bardo.ledger_transactions SELECT golem, 3, 'x', kind, at, details, hash
       FROM bardo.ledger_transactions WHERE number = 1`,
    ],
    ['other sums', 'sums', `UPDATE bardo.ledger_sums SET micros = -99 WHERE account = 'gas' AND day = -1`],
    [
      'the sums of a day',
      'sums',
      `UPDATE bardo.ledger_sums SET micros = -99 WHERE account = 'gas' AND day > 0`,
    ],
  ])('is detected: %s', async (_, why, statement) => {
    const report = await forged(async (database) => {
      await off(database)
      await database.query(statement)
    })
    expect(report).toMatchObject({ type: 'broken', why })
  })
})
