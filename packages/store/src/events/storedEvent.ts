import type { Hash } from 'viem'
import { z } from 'zod'
import { document, hex, integer } from '../database/columns.ts'
import type { Json } from '../json/json.ts'

/** Something that happened to a Golem. The control plane's own events have the Golem `0x00…00`. */
export type NewEvent = {
  readonly golem: Hash
  /** A word, with dots, dashes or colons: `tool:start`. */
  readonly name: string
  readonly body: Json
}

/** An event as it is kept. */
export type StoredEvent = {
  /** Counts all events, from 1, without a gap: the cursor of a reader. */
  readonly sequence: number
  readonly golem: Hash
  /** Counts this Golem's, from 1. */
  readonly number: number
  readonly name: string
  readonly body: unknown
  readonly at: number
  /** Over this event and the hash of the Golem's event before. */
  readonly hash: Hash
}

/** The columns of {@link eventRow}. */
export const eventColumns = 'sequence, golem, number, name, body, at, hash'

const hash = z.string().transform((value): Hash => `0x${value}`)
const fields = { sequence: integer, golem: hex, number: integer, name: z.string(), at: integer, hash }

/** A row as an event. */
export const eventRow = z.object({ ...fields, body: document })

/** A row as an event whose body is the text that was hashed. */
export const rawEventRow = z.object({ ...fields, body: z.string() })
