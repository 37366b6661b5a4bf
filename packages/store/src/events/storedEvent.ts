import type { Hash } from 'viem'
import { z } from 'zod'
import { document, hex, integer } from '../database/columns.ts'
import type { Json } from '../json/json.ts'

/** An event of a Golem. Events of the control plane have the Golem `0x00…00`. */
export type NewEvent = {
  readonly golem: Hash
  /** A word, with dots, dashes or colons: `tool:start`. */
  readonly name: string
  readonly body: Json
}

/** A stored event. */
export type StoredEvent = {
  /** Numbers all events from 1, without a gap: the cursor of a reader. */
  readonly sequence: number
  readonly golem: Hash
  /** Numbers this Golem's events from 1. */
  readonly number: number
  readonly name: string
  readonly body: unknown
  readonly at: number
  /** Hash of this event and the hash of the Golem's previous event. */
  readonly hash: Hash
}

/** The columns of {@link eventRow}. */
export const eventColumns = 'sequence, golem, number, name, body, at, hash'

const hash = z.string().transform((value): Hash => `0x${value}`)
const fields = { sequence: integer, golem: hex, number: integer, name: z.string(), at: integer, hash }

/** A row as an event. */
export const eventRow = z.object({ ...fields, body: document })

/** A row as an event, with the body as the text that was hashed. */
export const rawEventRow = z.object({ ...fields, body: z.string() })
