import { type Clock, createBatcher } from '@bardo/core'
import type { Hash } from 'viem'
import type { Database, Query } from '../database/database.ts'
import { appendEvents } from '../events/events.ts'
import type { NewEvent } from '../events/storedEvent.ts'
import { encodeJson, type Json } from '../json/json.ts'
import type { Golem } from './golems.ts'
import { createGrimoire, type Grimoire } from './grimoire.ts'
import { type LedgerPosting, postLedger } from './ledger.ts'

/** Everything that a tick writes, atomically. */
export type TickRecord = {
  readonly golem: Hash
  /** The version of the state; the stored one must be the previous version. */
  readonly version: number
  readonly state: Json
  readonly row: Pick<Golem, 'status' | 'phase' | 'nextTick'>
  readonly notes: readonly Omit<Parameters<Grimoire['put']>[0], 'golem'>[]
  readonly events: readonly NewEvent[]
  /** Dropped if the ledger has grown since it was computed: the next tick posts it. */
  readonly posting?: LedgerPosting
}

/** Records the ticks of all Golems. */
export type Ticks = {
  /** False if the stored version is not the previous one, or the Golem is dying: then nothing is written. */
  save(record: TickRecord): Promise<boolean>
}

/** Maximum number of ticks per transaction. */
const most = 200

/**
 * Records ticks. Appending events locks the event counter until the commit, so commits are serialised: ticks
 * that wait meanwhile share the next transaction. A tick that makes the transaction fail is retried alone and
 * fails alone.
 */
export function createTicks(database: Database, clock: Clock): Ticks {
  const saveTogether = (records: readonly TickRecord[]) =>
    database.transaction(({ query }) => saveAll(query, clock, records))

  async function settle(records: readonly TickRecord[]): Promise<readonly PromiseSettledResult<boolean>[]> {
    if (records.length === 1)
      return Promise.allSettled(records.map((record) => saveTogether([record]).then(isOne)))
    try {
      const saved = await saveTogether(records)
      return records.map(({ golem }) => ({ status: 'fulfilled', value: saved.has(golem.toLowerCase()) }))
    } catch {
      const results: PromiseSettledResult<boolean>[] = []
      for (const record of records) results.push(...(await settle([record])))
      return results
    }
  }

  const save = createBatcher(
    async (records: readonly TickRecord[]) => {
      const results: PromiseSettledResult<boolean>[] = []
      for (const part of oncePerGolem(records)) results.push(...(await settle(part)))
      return results
    },
    { most },
  )
  return {
    async save(record) {
      const result = await save(record)
      if (result.status === 'rejected') throw result.reason
      return result.value
    },
  }
}

const isOne = ({ size }: ReadonlySet<string>) => size === 1

/** In order, split wherever a Golem repeats: the second of two ticks must see the result of the first. */
function oncePerGolem(records: readonly TickRecord[]): readonly (readonly TickRecord[])[] {
  const parts: TickRecord[][] = [[]]
  let seen = new Set<string>()
  for (const record of records) {
    if (seen.has(record.golem.toLowerCase())) {
      parts.push([])
      seen = new Set()
    }
    seen.add(record.golem.toLowerCase())
    parts.at(-1)?.push(record)
  }
  return parts
}

/** Returns the Golems whose tick was written. */
async function saveAll(
  query: Query,
  clock: Clock,
  records: readonly TickRecord[],
): Promise<ReadonlySet<string>> {
  const rows = await query(
    `WITH ticks AS (
       SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[])
         AS tick (golem, version, state, status, phase, next_tick)
     ), saved AS (
       UPDATE bardo.lives SET state = ticks.state, version = ticks.version FROM ticks
       WHERE lives.golem = ticks.golem AND lives.version = ticks.version - 1 AND lives.death IS NULL
       RETURNING lives.golem
     ), changed AS (
       UPDATE bardo.golems
       SET status = ticks.status, phase = ticks.phase, next_tick = ticks.next_tick, version = golems.version + 1
       FROM ticks JOIN saved USING (golem) WHERE golems.id = ticks.golem
     )
     SELECT golem FROM saved`,
    [
      records.map(({ golem }) => golem.toLowerCase()),
      records.map(({ version }) => version),
      records.map(({ state }) => encodeJson(state)),
      records.map(({ row }) => row.status),
      records.map(({ row }) => row.phase),
      records.map(({ row }) => row.nextTick ?? null),
    ],
  )
  const saved = new Set(rows.map((row) => String(row['golem'])))
  const ours = records.filter(({ golem }) => saved.has(golem.toLowerCase()))
  const grimoire = createGrimoire(query, clock)
  for (const { golem, notes } of ours) for (const note of notes) await grimoire.put({ ...note, golem })
  const { events: posted } = await postLedger(
    query,
    ours.flatMap(({ golem, posting }) => (posting ? [{ golem, ...posting }] : [])),
  )
  const events = [...ours.flatMap((record) => record.events), ...posted]
  // Last: from here to the commit no other writer can append.
  if (events.length > 0) await appendEvents(query, events, clock.now())
  return saved
}
