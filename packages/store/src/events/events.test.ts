import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import type { Store } from '../openStore.ts'
import { eachDatabase, type TestDatabase } from '../testing/eachDatabase.ts'
import { id } from '../testing/samples.ts'
import { systemClock } from '../testing/systemClock.ts'
import { createEvents } from './events.ts'
import type { StoredEvent } from './storedEvent.ts'

eachDatabase('events', (newDatabase, kind) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await newDatabase()
    store = await database.open()
  })
  afterAll(() => store.close())

  const last = async () => (await store.audit.head()).sequence
  const named = (name: string, golem = id(1)) => ({ golem, name, body: { amount: 2n ** 200n } })

  /** The first `count` events that a subscription returns. */
  async function take(count: number, after: number, golem?: StoredEvent['golem']) {
    const stop = new AbortController()
    const taken: StoredEvent[] = []
    for await (const event of store.events.subscribe({
      after,
      signal: stop.signal,
      ...(golem && { golem }),
    })) {
      taken.push(event)
      if (taken.length === count) stop.abort()
    }
    return taken
  }

  it('are read in order, from a cursor, of one Golem or of all', async () => {
    const from = await last()
    const end = await store.events.append([named('a'), named('b', id(2)), named('c')])
    const all = await store.events.read({ after: from })
    expect(all.map(({ name, sequence, body }) => [name, sequence, body])).toEqual(
      ['a', 'b', 'c'].map((name, index) => [name, from + 1 + index, { amount: 2n ** 200n }]),
    )
    expect(end).toBe(from + 3)
    expect((await store.events.read({ after: from, golem: id(1) })).map(({ name }) => name)).toEqual([
      'a',
      'c',
    ])
    expect(await store.events.read({ after: from + 1, limit: 1 })).toEqual([all[1]])
  })

  it('are read newest first, by name, before a sequence and since a time', async () => {
    const golem = id(9)
    const end = await store.events.append([named('a', golem), named('b', golem), named('a', golem)])
    const latest = async (selection: object) =>
      (await store.events.latest({ golem, limit: 10, ...selection })).map(({ sequence }) => sequence)
    expect(await latest({})).toEqual([end, end - 1, end - 2])
    expect(await latest({ names: ['a'] })).toEqual([end, end - 2])
    expect(await latest({ names: ['a'], limit: 1, before: end })).toEqual([end - 2])
    const at = (await store.events.latest({ golem, limit: 1 }))[0]?.at ?? 0
    expect(await latest({ since: at })).toContain(end)
    expect(await latest({ since: at + 1 })).toEqual([])
    expect((await store.events.latest({ limit: 1 })).map(({ sequence }) => sequence)).toEqual([end])
  })

  it('are refused if the name is invalid or the list is empty', async () => {
    await expect(store.events.append([])).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(store.events.append([named('a\nb')])).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('hold any text', async () => {
    const body = { text: 'line\nbreak \u0000 \ud800 ’ 🜂', $bigint: '5' }
    const sequence = await store.events.append([{ golem: id(1), name: 'odd', body }])
    expect((await store.events.read({ after: sequence - 1 })).map((event) => event.body)).toEqual([body])
    expect(await store.audit.verify()).toMatchObject({ type: 'intact' })
  })

  it('reach a subscriber once each, past and future ones', async () => {
    const from = await last()
    await store.events.append([named('before')])
    const taken = take(101, from)
    for (let n = 0; n < 50; n += 1) await store.events.append([named(`one-${n}`), named(`two-${n}`, id(2))])
    expect((await taken).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 101 }, (_, n) => from + 1 + n),
    )
  })

  it('of another Golem do not reach a subscriber of one Golem', async () => {
    const from = await last()
    const taken = take(2, from, id(3))
    await store.events.append([named('x', id(3)), named('y', id(4)), named('z', id(3))])
    expect((await taken).map(({ name }) => name)).toEqual(['x', 'z'])
  })

  it('are neither lost nor repeated under concurrent writers and slow transactions', async () => {
    const writers = await Promise.all(
      Array.from({ length: kind === 'postgres' ? 4 : 1 }, () =>
        kind === 'postgres' ? database.open() : store,
      ),
    )
    const from = await last()
    const taken = take(200, from)
    const writing = writers.flatMap((writer, w) =>
      Array.from({ length: 10 }, async (_, n) => {
        const golem = id(100 + (n % 3))
        for (let round = 0; round < 20 / writers.length; round += 1) {
          if (n % 2 === 0) await writer.events.append([named(`w${w}`, golem)])
          else
            await writer.transaction(async ({ golems, record }) => {
              record([named(`w${w}`, golem)])
              await golems.find(golem)
            })
        }
      }),
    )
    await Promise.all(writing)
    expect((await taken).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 200 }, (_, n) => from + 1 + n),
    )
    expect(await store.audit.verify()).toMatchObject({ type: 'intact', events: from + 200 })
    if (kind === 'postgres') await Promise.all(writers.map((writer) => writer.close()))
  })

  it('stop when the store closes', async () => {
    const other = kind === 'postgres' ? await database.open() : store
    const subscription = (async () => {
      for await (const _ of other.events.subscribe({
        after: await last(),
        signal: new AbortController().signal,
      })) {
        // No more events come.
      }
      return 'ended'
    })()
    await other.close()
    expect(await subscription).toBe('ended')
    if (kind === 'pglite') store = await database.open()
  })
})

it('a subscriber receives an event that arrives between its read and its wait', async () => {
  const row = { sequence: 1, golem: id(1), number: 1, name: 'act', body: 'null', at: 0, hash: '00' }
  let wake = () => {}
  let reads = 0
  const database: Database = {
    query: async () => {
      reads += 1
      if (reads > 1) return [row]
      wake()
      return []
    },
    transaction: () => Promise.reject(new Error('unexpected call')),
    listen: async (_, given) => {
      wake = given
      return async () => {}
    },
    close: async () => {},
  }
  const { signal } = new AbortController()
  const events = createEvents(database, systemClock).subscribe({ after: 0, signal })
  const first = await events[Symbol.asyncIterator]().next()
  expect(first.value?.name).toBe('act')
})
