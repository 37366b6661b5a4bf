import { BardoError, type Clock } from '@bardo/core'
import type { Hash } from 'viem'
import { parseRow } from '../database/columns.ts'
import type { Database, Query } from '../database/database.ts'
import { encodeJson } from '../json/json.ts'
import { createNotifier } from './notifier.ts'
import { eventColumns, eventRow, type NewEvent, type StoredEvent } from './storedEvent.ts'

/** Which events: after a cursor, of one Golem or of all. */
export type EventSelection = { readonly after: number; readonly golem?: Hash }

/** Which of the latest events. Left out: all. */
export type LatestEvents = {
  readonly golem?: Hash
  readonly names?: readonly string[]
  readonly before?: number
  readonly since?: number
  readonly limit: number
}

/** All events, in commit order. */
export type Events = {
  /**
   * Appends all of them or none, each linked by hash to its Golem's previous event. Returns the last
   * sequence.
   */
  append(events: readonly NewEvent[]): Promise<number>
  /** The next events, oldest first, at most `limit`. */
  read(selection: EventSelection & { readonly limit?: number }): Promise<readonly StoredEvent[]>
  /** The latest events, newest first: before a sequence, at or after a time in milliseconds, with these names. */
  latest(selection: LatestEvents): Promise<readonly StoredEvent[]>
  /** Every event after the cursor, once each, including future ones, until `signal` aborts. */
  subscribe(selection: EventSelection & { readonly signal: AbortSignal }): AsyncIterable<StoredEvent>
}

const batch = 500
const nameShape = /^[A-Za-z][\w.:-]{0,99}$/

/** The events of a database. `close` ends its subscriptions. */
export function createEvents(database: Database, clock: Clock): Events & { close(): Promise<void> } {
  const notifier = createNotifier()
  const closing = new AbortController()
  let listening: Promise<() => Promise<void>> | undefined

  const read: Events['read'] = async ({ after, golem, limit = batch }) => {
    const rows = await database.query(
      `SELECT ${eventColumns} FROM bardo.events WHERE sequence > $1 ${golem ? 'AND golem = $3' : ''}
       ORDER BY sequence LIMIT $2`,
      [after, limit, ...(golem ? [golem.toLowerCase()] : [])],
    )
    return rows.map((row) => parseRow(eventRow, row))
  }

  return {
    append: (events) => appendEvents(database.query, events, clock.now()),
    read,

    async latest({ golem, names, before, since, limit }) {
      const rows = await database.query(
        `SELECT ${eventColumns} FROM bardo.events
         WHERE ($1::text IS NULL OR golem = $1) AND ($2::text[] IS NULL OR name = ANY($2))
           AND ($3::bigint IS NULL OR sequence < $3) AND ($4::bigint IS NULL OR at >= $4)
         ORDER BY sequence DESC LIMIT $5`,
        [golem?.toLowerCase() ?? null, names ?? null, before ?? null, since ?? null, limit],
      )
      return rows.map((row) => parseRow(eventRow, row))
    },

    async *subscribe({ after, golem, signal }) {
      listening ??= database.listen('bardo_events', notifier.notify).catch((error: unknown) => {
        // The next subscription tries again: the database may be back by then.
        listening = undefined
        throw error
      })
      await listening
      const ended = AbortSignal.any([signal, closing.signal])
      let cursor = after
      while (!ended.aborted) {
        const seen = notifier.notifications
        const events = await read({ after: cursor, ...(golem && { golem }) })
        for (const event of events) {
          if (ended.aborted) return
          cursor = event.sequence
          yield event
        }
        if (events.length === 0) await notifier.wait(seen, ended)
      }
    },

    async close() {
      closing.abort()
      await (await listening?.catch(() => undefined))?.()
    },
  }
}

/** Appends in one statement, which serialises writers: in a transaction it must be the last statement. */
export async function appendEvents(query: Query, events: readonly NewEvent[], at: number): Promise<number> {
  const [first] = events
  if (!first) throw new BardoError('The list of events is empty.', { code: 'INVALID_INPUT' })
  const invalid = events.find(({ name }) => !nameShape.test(name))
  if (invalid) {
    throw new BardoError('Invalid event name.', { code: 'INVALID_INPUT', details: [invalid.name] })
  }
  const [row] = await query(
    'SELECT bardo.append_events($1::text[], $2::text[], $3::text[], $4::bigint[]) AS last',
    [
      events.map(({ golem }) => golem.toLowerCase()),
      events.map(({ name }) => name),
      events.map(({ body }) => encodeJson(body)),
      events.map(() => at),
    ],
  )
  return Number(row?.['last'])
}
