import type { Clock } from '@bardo/core'
import type { Hash } from 'viem'
import { z } from 'zod'
import { document, integer, optional, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { encodeJson, type Json } from '../json/json.ts'

/** What to do with a request that has an idempotency key. */
export type Claim =
  /** Claimed: run the request, then call `finish`. */
  | { readonly type: 'new' }
  /** Done before: return this result. */
  | { readonly type: 'done'; readonly result: unknown }
  /** Another caller is running it. */
  | { readonly type: 'running'; readonly since: number }
  /** The key belongs to another request. */
  | { readonly type: 'mismatch' }

/** Requests that take effect once, however often they are sent. */
export type IdempotencyKeys = {
  /** Claims the key. A claim that is not finished after `patienceMs` passes to the next caller. */
  claim(key: string, requestHash: Hash, patienceMs: number): Promise<Claim>
  /** Stores the result. False if there already is one. */
  finish(key: string, result: Json): Promise<boolean>
  /** Gives back a claim that had no effect. */
  abandon(key: string): Promise<void>
  /** Lets the next caller take over a claim at once, because its holder has stopped. */
  release(key: string): Promise<void>
  /** Deletes claims from before a time. Returns how many. */
  forget(before: number): Promise<number>
}

const keyRow = z.object({ request_hash: z.string(), started_at: integer, result: optional(document) })

/** The idempotency keys of a database. */
export function createIdempotencyKeys(query: Query, clock: Clock): IdempotencyKeys {
  return {
    async claim(key, requestHash, patienceMs) {
      const now = clock.now()
      const claimed = await query(
        `INSERT INTO bardo.idempotency_keys AS existing (key, request_hash, started_at) VALUES ($1, $2, $3)
         ON CONFLICT (key) DO UPDATE SET started_at = excluded.started_at
           WHERE existing.request_hash = excluded.request_hash AND existing.result IS NULL AND existing.started_at <= $4
         RETURNING 1`,
        [key, requestHash, now, now - patienceMs],
      )
      if (claimed.length > 0) return { type: 'new' }
      const [row] = await query(
        'SELECT request_hash, started_at, result FROM bardo.idempotency_keys WHERE key = $1',
        [key],
      )
      // Deleted or abandoned between the two statements: until now another caller held it.
      if (!row) return { type: 'running', since: now }
      const { request_hash, started_at, result } = parseRow(keyRow, row)
      if (request_hash !== requestHash) return { type: 'mismatch' }
      return result === undefined ? { type: 'running', since: started_at } : { type: 'done', result }
    },

    async finish(key, result) {
      const rows = await query(
        'UPDATE bardo.idempotency_keys SET result = $2 WHERE key = $1 AND result IS NULL RETURNING 1',
        [key, encodeJson(result)],
      )
      return rows.length > 0
    },

    async abandon(key) {
      await query('DELETE FROM bardo.idempotency_keys WHERE key = $1 AND result IS NULL', [key])
    },

    async release(key) {
      await query('UPDATE bardo.idempotency_keys SET started_at = 0 WHERE key = $1 AND result IS NULL', [key])
    },

    async forget(before) {
      const rows = await query('DELETE FROM bardo.idempotency_keys WHERE started_at < $1 RETURNING 1', [
        before,
      ])
      return rows.length
    },
  }
}
