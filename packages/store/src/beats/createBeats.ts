import { type Clock, createGathering } from '@bardo/core'
import type { Hash } from 'viem'
import type { Database, Query } from '../database/database.ts'
import { appendEvents } from '../events/events.ts'
import type { NewEvent } from '../events/storedEvent.ts'
import { encodeJson, type Json } from '../json/json.ts'
import type { Golem } from '../repositories/golems.ts'
import { createGrimoire, type Grimoire } from '../repositories/grimoire.ts'

/** All that a tick leaves behind: it is written together, or not at all. */
export type Beat = {
  readonly golem: Hash
  /** Of the state; the stored one has to be the one before. */
  readonly version: number
  readonly state: Json
  readonly row: Pick<Golem, 'status' | 'phase' | 'nextTick'>
  readonly notes: readonly Omit<Parameters<Grimoire['put']>[0], 'golem'>[]
  readonly events: readonly NewEvent[]
}

/** The ticks of all Golems, as they are recorded. */
export type Beats = {
  /** False if the stored state is not the one before, or the Golem is dying: then nothing is written. */
  save(beat: Beat): Promise<boolean>
}

/** So many ticks are recorded in one transaction. */
const most = 200

/**
 * Records ticks. Whoever appends events holds the end of the line until the commit, so that commits come one after
 * another: what waits for its turn meanwhile shares the next one. A beat that makes a transaction fail fails alone.
 */
export function createBeats(database: Database, clock: Clock): Beats {
  const saveTogether = (beats: readonly Beat[]) =>
    database.transaction(({ query }) => saveAll(query, clock, beats))

  async function settle(beats: readonly Beat[]): Promise<readonly PromiseSettledResult<boolean>[]> {
    if (beats.length === 1) return Promise.allSettled(beats.map((beat) => saveTogether([beat]).then(isOne)))
    try {
      const saved = await saveTogether(beats)
      return beats.map(({ golem }) => ({ status: 'fulfilled', value: saved.has(golem.toLowerCase()) }))
    } catch {
      const alone: PromiseSettledResult<boolean>[] = []
      for (const beat of beats) alone.push(...(await settle([beat])))
      return alone
    }
  }

  const save = createGathering(
    async (beats: readonly Beat[]) => {
      const results: PromiseSettledResult<boolean>[] = []
      for (const part of oncePerGolem(beats)) results.push(...(await settle(part)))
      return results
    },
    { most },
  )
  return {
    async save(beat) {
      const result = await save(beat)
      if (result.status === 'rejected') throw result.reason
      return result.value
    },
  }
}

const isOne = ({ size }: ReadonlySet<string>) => size === 1

/** In order, cut wherever a Golem comes again: of two beats that want to be the next, the second has to see the first. */
function oncePerGolem(beats: readonly Beat[]): readonly (readonly Beat[])[] {
  const parts: Beat[][] = [[]]
  let seen = new Set<string>()
  for (const beat of beats) {
    if (seen.has(beat.golem.toLowerCase())) {
      parts.push([])
      seen = new Set()
    }
    seen.add(beat.golem.toLowerCase())
    parts.at(-1)?.push(beat)
  }
  return parts
}

/** The Golems whose beat was the next. */
async function saveAll(query: Query, clock: Clock, beats: readonly Beat[]): Promise<ReadonlySet<string>> {
  const rows = await query(
    `WITH beats AS (
       SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[])
         AS beat (golem, version, state, status, phase, next_tick)
     ), saved AS (
       UPDATE bardo.lives SET state = beats.state, version = beats.version FROM beats
       WHERE lives.golem = beats.golem AND lives.version = beats.version - 1 AND lives.death IS NULL
       RETURNING lives.golem
     ), changed AS (
       UPDATE bardo.golems
       SET status = beats.status, phase = beats.phase, next_tick = beats.next_tick, version = golems.version + 1
       FROM beats JOIN saved USING (golem) WHERE golems.id = beats.golem
     )
     SELECT golem FROM saved`,
    [
      beats.map(({ golem }) => golem.toLowerCase()),
      beats.map(({ version }) => version),
      beats.map(({ state }) => encodeJson(state)),
      beats.map(({ row }) => row.status),
      beats.map(({ row }) => row.phase),
      beats.map(({ row }) => row.nextTick ?? null),
    ],
  )
  const saved = new Set(rows.map((row) => String(row['golem'])))
  const ours = beats.filter(({ golem }) => saved.has(golem.toLowerCase()))
  const grimoire = createGrimoire(query, clock)
  for (const { golem, notes } of ours) for (const note of notes) await grimoire.put({ ...note, golem })
  const events = ours.flatMap((beat) => beat.events)
  // Last of all: from here to the commit nobody else can append.
  if (events.length > 0) await appendEvents(query, events, clock.now())
  return saved
}
