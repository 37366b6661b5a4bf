import { type Clock, createBatcher } from '@bardo/core'
import type { Address, Hash } from 'viem'
import { z } from 'zod'
import { document, hex, integer, optional, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { encodeJson, type Json } from '../json/json.ts'

const states = ['pending', 'approved', 'adjusted', 'refused', 'expired', 'withdrawn'] as const

/** An action that only the owner can take: a grant, a revocation, an answer. */
export type OwnerRequest = {
  readonly id: string
  /** A short name for people: it never changes, and no other request ever gets it. */
  readonly number: number
  readonly golem: Hash
  /** What is requested: `grant`, `revoke`, … */
  readonly kind: string
  readonly body: unknown
  readonly state: (typeof states)[number]
  readonly answer: unknown
  readonly filedAt: number
  readonly expiresAt: number | undefined
  readonly endedAt: number | undefined
}

/** Requests to owners, with their answers. */
export type OwnerRequests = {
  /** False if a request with that id exists: filing again has no effect. */
  file(request: {
    readonly id: string
    readonly golem: Hash
    readonly kind: string
    readonly body: Json
    readonly expiresAt?: number
  }): Promise<boolean>
  find(id: string): Promise<OwnerRequest | undefined>
  findNumber(number: number): Promise<OwnerRequest | undefined>
  /** A Golem's pending requests, oldest first. */
  pending(golem: Hash): Promise<readonly OwnerRequest[]>
  /** The pending requests of all of an owner's Golems, oldest first. */
  pendingOf(owner: Address): Promise<readonly OwnerRequest[]>
  /** All pending requests, oldest first. */
  allPending(limit: number): Promise<readonly OwnerRequest[]>
  /** The pending requests of one kind, of all Golems, oldest first. */
  pendingOfKind(kind: string, limit: number): Promise<readonly OwnerRequest[]>
  /** Stores the owner's answer, once. False if it was answered before, or has expired. */
  answer(id: string, state: 'approved' | 'adjusted' | 'refused', answer: Json): Promise<boolean>
  /**
   * Withdraws a Golem's pending requests and returns them. Revocations stay: they never benefit the Golem.
   */
  withdraw(golem: Hash): Promise<readonly OwnerRequest[]>
  /** Ends the requests that were not answered in time, and returns them. */
  expire(): Promise<readonly OwnerRequest[]>
}

const requestRow = z
  .object({
    id: z.string(),
    number: integer,
    golem: hex,
    kind: z.string(),
    body: document,
    state: z.enum(states),
    answer: optional(document),
    filed_at: integer,
    expires_at: optional(integer),
    ended_at: optional(integer),
  })
  .transform(
    ({ body, answer, filed_at, expires_at, ended_at, ...row }): OwnerRequest => ({
      ...row,
      body,
      answer,
      filedAt: filed_at,
      expiresAt: expires_at,
      endedAt: ended_at,
    }),
  )

/** Maximum number of callers per statement. */
const most = 1_000

/** The owner requests of a database. */
export function createOwnerRequests(query: Query, clock: Clock): OwnerRequests {
  const columns = 'id, number, golem, kind, body, state, answer, filed_at, expires_at, ended_at'

  // Every Golem of a worker asks for the same kind: those that ask at the same moment share one statement.
  const findOfKind = createBatcher(
    async (asked: readonly { readonly kind: string; readonly limit: number }[]) => {
      const found = new Map<string, Promise<readonly OwnerRequest[]>>()
      return Promise.all(
        asked.map(({ kind, limit }) => {
          const name = `${limit} ${kind}`
          const known = found.get(name) ?? pendingOfKind(kind, limit)
          found.set(name, known)
          return known
        }),
      )
    },
    { most },
  )

  async function pendingOfKind(kind: string, limit: number): Promise<readonly OwnerRequest[]> {
    const rows = await query(
      `SELECT ${columns} FROM bardo.owner_requests
       WHERE kind = $1 AND state = 'pending' AND (expires_at IS NULL OR expires_at > $2)
       ORDER BY filed_at, id LIMIT $3`,
      [kind, clock.now(), limit],
    )
    return rows.map((row) => parseRow(requestRow, row))
  }

  return {
    async file({ id, golem, kind, body, expiresAt }) {
      const rows = await query(
        `INSERT INTO bardo.owner_requests (id, golem, kind, body, state, filed_at, expires_at)
         SELECT $1::text, $2::text, $3::text, $4::text, 'pending', $5::bigint, $6::bigint
         -- Filing again, as each tick does, must not use up a number.
         WHERE NOT EXISTS (SELECT 1 FROM bardo.owner_requests WHERE id = $1) ON CONFLICT DO NOTHING RETURNING 1`,
        [id, golem.toLowerCase(), kind, encodeJson(body), clock.now(), expiresAt ?? null],
      )
      return rows.length > 0
    },

    async find(id) {
      const [row] = await query(`SELECT ${columns} FROM bardo.owner_requests WHERE id = $1`, [id])
      return row && parseRow(requestRow, row)
    },

    async findNumber(number) {
      const [row] = await query(`SELECT ${columns} FROM bardo.owner_requests WHERE number = $1`, [number])
      return row && parseRow(requestRow, row)
    },

    async pending(golem) {
      const rows = await query(
        `SELECT ${columns} FROM bardo.owner_requests
         WHERE golem = $1 AND state = 'pending' AND (expires_at IS NULL OR expires_at > $2) ORDER BY filed_at, id`,
        [golem.toLowerCase(), clock.now()],
      )
      return rows.map((row) => parseRow(requestRow, row))
    },

    async pendingOf(owner) {
      const rows = await query(
        `SELECT ${columns} FROM bardo.owner_requests
         WHERE golem IN (SELECT id FROM bardo.golems WHERE owner = $1)
           AND state = 'pending' AND (expires_at IS NULL OR expires_at > $2) ORDER BY filed_at, id`,
        [owner.toLowerCase(), clock.now()],
      )
      return rows.map((row) => parseRow(requestRow, row))
    },

    async allPending(limit) {
      const rows = await query(
        `SELECT ${columns} FROM bardo.owner_requests
         WHERE state = 'pending' AND (expires_at IS NULL OR expires_at > $1) ORDER BY filed_at, id LIMIT $2`,
        [clock.now(), limit],
      )
      return rows.map((row) => parseRow(requestRow, row))
    },

    pendingOfKind: (kind, limit) => findOfKind({ kind, limit }),

    async answer(id, state, answer) {
      const rows = await query(
        `UPDATE bardo.owner_requests SET state = $2, answer = $3, ended_at = $4
         WHERE id = $1 AND state = 'pending' AND (expires_at IS NULL OR expires_at > $4) RETURNING 1`,
        [id, state, encodeJson(answer), clock.now()],
      )
      return rows.length > 0
    },

    async withdraw(golem) {
      const rows = await query(
        `UPDATE bardo.owner_requests SET state = 'withdrawn', ended_at = $2
         WHERE golem = $1 AND state = 'pending' AND kind <> 'revoke' RETURNING ${columns}`,
        [golem.toLowerCase(), clock.now()],
      )
      return rows.map((row) => parseRow(requestRow, row))
    },

    async expire() {
      const rows = await query(
        `UPDATE bardo.owner_requests SET state = 'expired', ended_at = $1
         WHERE state = 'pending' AND expires_at <= $1 RETURNING ${columns}`,
        [clock.now()],
      )
      return rows.map((row) => parseRow(requestRow, row))
    },
  }
}
