import { createHash } from 'node:crypto'
import type { Hash } from 'viem'
import { z } from 'zod'
import { hex, integer, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { eventHash, noHash } from './eventHash.ts'
import { eventColumns, rawEventRow } from './storedEvent.ts'

/**
 * One hash of the whole record up to an event. Stored elsewhere, it later proves that nothing before has
 * changed.
 */
export type AuditHead = { readonly sequence: number; readonly hash: Hash }

/** The result of a verification. A broken record is reported at its first broken link. */
export type AuditReport =
  | { readonly type: 'intact'; readonly events: number; readonly head: AuditHead }
  | {
      readonly type: 'broken'
      readonly golem: Hash
      /** The sequence of the first event that does not fit, or is missing. */
      readonly sequence: number
      /**
       * `altered`: the content does not match its hash. `missing`: an event is gone. `inserted`: an event was
       * never counted. `anchor`: the record is consistent, but it is not the one whose head was noted.
       */
      readonly why: 'altered' | 'missing' | 'inserted' | 'anchor'
    }

/** Verification and export of the event record. */
export type Audit = {
  /** Verifies the record in batches: all of it, or one Golem's. `anchor` is a head that was noted before. */
  verify(
    options?:
      | { readonly golem?: Hash; readonly anchor?: never }
      | { readonly golem?: never; readonly anchor?: AuditHead },
  ): Promise<AuditReport>
  /** The current head, or the head after an event. */
  head(options?: { readonly sequence?: number }): Promise<AuditHead>
  /** One line of JSON for each event, with its hash. */
  export(options?: { readonly golem?: Hash }): AsyncIterable<string>
}

const batch = 1_000
const headRow = z.object({
  golem: hex,
  sequence: integer,
  number: integer,
  hash: z.string().transform((text): Hash => `0x${text}`),
})
type Head = z.output<typeof headRow>
type RawEvent = z.output<typeof rawEventRow>

/** The audit of a database. */
export function createAudit(query: Query): Audit {
  async function* walk(upTo: number, golem?: Hash): AsyncGenerator<RawEvent> {
    for (let after = 0; ; ) {
      const rows = await query(
        `SELECT ${eventColumns} FROM bardo.events WHERE sequence > $1 AND sequence <= $2 ${golem ? 'AND golem = $4' : ''}
         ORDER BY sequence LIMIT $3`,
        [after, upTo, batch, ...(golem ? [golem.toLowerCase()] : [])],
      )
      const events = rows.map((row) => parseRow(rawEventRow, row))
      yield* events
      const last = events.at(-1)
      if (!last) return
      after = last.sequence
    }
  }

  async function countEvents(): Promise<number> {
    const [row] = await query('SELECT last FROM bardo.event_counter')
    return Number(row?.['last'])
  }

  async function storedHeads(golem?: Hash): Promise<readonly Head[]> {
    const rows = await query(
      `SELECT golem, sequence, number, hash FROM bardo.audit_heads ${golem ? 'WHERE golem = $1' : ''} ORDER BY golem`,
      golem ? [golem.toLowerCase()] : [],
    )
    return rows.map((row) => parseRow(headRow, row))
  }

  return {
    async verify({ golem, anchor } = {}) {
      const upTo = await countEvents()
      const heads = new Map<Hash, Head>()
      let events = 0
      for await (const event of walk(Number.MAX_SAFE_INTEGER, golem)) {
        if (event.sequence > upTo) {
          // Appended since the verification started, or never counted.
          if (event.sequence <= (await countEvents())) break
          return { type: 'broken', golem: event.golem, sequence: event.sequence, why: 'inserted' }
        }
        const broken = brokenLink(event, heads.get(event.golem), golem ? undefined : events + 1)
        if (broken) return { type: 'broken', ...broken }
        const { sequence, number, hash } = event
        heads.set(event.golem, { golem: event.golem, sequence, number, hash })
        events += 1
        if (anchor?.sequence === sequence && headOf(heads.values()).hash !== anchor.hash)
          return { type: 'broken', golem: event.golem, sequence, why: 'anchor' }
      }
      const ends = await storedHeads(golem)
      if (!golem && events < upTo) {
        const sequence = events + 1
        const affected = ends.find((head) => head.sequence === sequence)?.golem ?? noHash
        return { type: 'broken', golem: affected, sequence, why: 'missing' }
      }
      const broken = brokenEnd(ends, heads, upTo)
      if (broken) return { type: 'broken', ...broken }
      if (anchor && anchor.sequence > upTo)
        return { type: 'broken', golem: noHash, sequence: anchor.sequence, why: 'missing' }
      return { type: 'intact', events, head: headOf(heads.values()) }
    },

    async head({ sequence } = {}) {
      if (sequence === undefined) return headOf(await storedHeads())
      const rows = await query(
        `SELECT DISTINCT ON (golem) golem, sequence, number, hash FROM bardo.events WHERE sequence <= $1
         ORDER BY golem, sequence DESC`,
        [sequence],
      )
      return headOf(rows.map((row) => parseRow(headRow, row)))
    },

    async *export({ golem } = {}) {
      // The body is exported as the text that was hashed.
      for await (const { body, ...event } of walk(await countEvents(), golem))
        yield `${JSON.stringify(event).slice(0, -1)},"body":${body}}\n`
    },
  }
}

type Broken = {
  readonly golem: Hash
  readonly sequence: number
  readonly why: 'altered' | 'missing' | 'inserted'
}

/** What is wrong with the link from the Golem's previous event to this one. */
function brokenLink(
  event: RawEvent,
  before: Head | undefined,
  expected: number | undefined,
): Broken | undefined {
  const { golem, sequence, number, hash } = event
  const next = (before?.number ?? 0) + 1
  if (expected !== undefined && sequence > expected) return { golem, sequence: expected, why: 'missing' }
  if (number > next) return { golem, sequence, why: 'missing' }
  if (number < next) return { golem, sequence, why: 'inserted' }
  if (hash !== eventHash(before?.hash ?? noHash, event, event.body))
    return { golem, sequence, why: 'altered' }
  return undefined
}

/** Whether each Golem's record ends where its head says. Skips a head that has moved since. */
function brokenEnd(
  stored: readonly Head[],
  walked: ReadonlyMap<Hash, Head>,
  upTo: number,
): Broken | undefined {
  for (const head of stored) {
    if (head.sequence > upTo) continue
    const { golem, sequence, number, hash } = head
    const last = walked.get(golem)
    if (!last || last.number < number) return { golem, sequence, why: 'missing' }
    if (last.number > number) return { golem, sequence: last.sequence, why: 'inserted' }
    if (last.hash !== hash) return { golem, sequence, why: 'altered' }
  }
  const withHead = new Set(stored.map(({ golem }) => golem))
  const headless = [...walked.values()].find(({ golem }) => !withHead.has(golem))
  return headless && { golem: headless.golem, sequence: headless.sequence, why: 'inserted' }
}

/** SHA-256 of one line for each Golem: its id, the number of its events, and the last one's hash. */
function headOf(heads: Iterable<Head>): AuditHead {
  const sorted = [...heads].sort((a, b) => (a.golem < b.golem ? -1 : 1))
  const lines = sorted.map(({ golem, number, hash }) => `${golem} ${number} ${hash}\n`)
  const hash: Hash = `0x${createHash('sha256').update(lines.join('')).digest('hex')}`
  return { sequence: sorted.reduce((last, { sequence }) => Math.max(last, sequence), 0), hash }
}
