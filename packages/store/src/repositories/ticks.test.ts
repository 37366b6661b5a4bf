import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Store } from '../openStore.ts'
import { eachDatabase } from '../testing/eachDatabase.ts'
import { id, sampleGolem } from '../testing/samples.ts'
import type { TickRecord } from './ticks.ts'

eachDatabase('ticks', (newDatabase) => {
  let store: Store
  beforeAll(async () => {
    store = await (await newDatabase()).open()
    for (let n = 1; n <= 30; n += 1) {
      await store.golems.create(sampleGolem(n))
      await store.golemStates.begin(id(n), { tick: 0 })
    }
  })
  afterAll(() => store.close())

  const result = (n: number, version: number, changes: Partial<TickRecord> = {}): TickRecord => ({
    golem: id(n),
    version,
    state: { tick: version },
    row: { status: 'alive', phase: 'stable', nextTick: 1_000 + version },
    notes: [],
    events: [{ golem: id(n), name: 'heartbeat.ticked', body: { tick: version } }],
    ...changes,
  })
  const eventsOf = async (n: number) =>
    (await store.events.read({ after: 0, golem: id(n) })).map(({ name }) => name)

  it('write state, row, notes and events together, for many Golems at once', async () => {
    const notes = [{ key: 'warning.1', kind: 'warning', body: { text: 'no' } }]
    const many = Array.from({ length: 20 }, (_, n) => result(n + 1, 1, n === 0 ? { notes } : {}))
    const saved = await Promise.all(many.map((each) => store.ticks.save(each)))
    expect(saved.every(Boolean)).toBe(true)
    for (const n of [1, 7, 20]) {
      expect(await store.golemStates.find(id(n))).toMatchObject({ version: 1, state: { tick: 1 } })
      expect(await store.golems.find(id(n))).toMatchObject({ phase: 'stable', nextTick: 1_001 })
      expect(await eventsOf(n)).toEqual(['heartbeat.ticked'])
    }
    expect(await store.grimoire.get(id(1), 'warning.1')).toMatchObject({ kind: 'warning' })
    expect(await store.audit.verify()).toMatchObject({ type: 'intact', events: 20 })
  })

  it('let one of two concurrent ticks succeed', async () => {
    // The first runs alone; the others share a transaction.
    const [, ...both] = await Promise.all(
      [result(22, 1), result(21, 1), result(21, 1)].map((b) => store.ticks.save(b)),
    )
    expect(both.toSorted()).toEqual([false, true])
    expect(await eventsOf(21)).toHaveLength(1)
  })

  it('write nothing for a dying Golem or a stale version, and still write the rest', async () => {
    await store.golemStates.saveDeath(id(23), 0, {})
    const records = [result(24, 1), result(23, 1), result(25, 5), result(26, 1)]
    expect(await Promise.all(records.map((b) => store.ticks.save(b)))).toEqual([true, false, false, true])
    expect(await eventsOf(23)).toEqual([])
    expect(await eventsOf(25)).toEqual([])
    expect(await store.golems.find(id(23))).toMatchObject({ version: 0 })
  })

  it('let a tick that the database refuses fail alone', async () => {
    const broken = result(28, 1, { events: [{ golem: id(28), name: 'no name!', body: {} }] })
    const results = await Promise.allSettled(
      [result(27, 1), broken, result(29, 1)].map((b) => store.ticks.save(b)),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await store.golemStates.find(id(28))).toMatchObject({ version: 0 })
    expect(await store.golemStates.find(id(29))).toMatchObject({ version: 1 })
  })

  it('change a Golem’s `bonds` when its active key changes', async () => {
    const bonds = async () => (await store.golemStates.find(id(30)))?.bonds
    const before = await bonds()
    await store.sessionKeys.add({
      publicKey: '0x02',
      golem: id(30),
      curve: 'secp256k1',
      address: `0x${'0a'.repeat(20)}`,
    })
    expect(await bonds()).toBe(before)
    await store.sessionKeys.advance('0x02', 'active')
    const withKey = await bonds()
    expect(withKey).not.toBe(before)
    await store.sessionKeys.wipe('0x02')
    expect(await bonds()).toBe(before)
  })
})
