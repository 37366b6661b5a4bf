import type { Clock } from '@bardo/core'
import type { Hash } from 'viem'
import { z } from 'zod'
import { document, integer, optional, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { encodeJson, type Json } from '../json/json.ts'

/** What to do with a request that carries a key. */
export type Claim =
  /** Yours: do it, then call `finish`. */
  | { readonly is: 'new' }
  /** Done before: answer this. */
  | { readonly is: 'done'; readonly result: unknown }
  /** Somebody is at it. */
  | { readonly is: 'running'; readonly since: number }
  /** The key stands for another request. */
  | { readonly is: 'mismatch' }

/** Requests that take effect once, however often they are sent. */
export type IdempotencyKeys = {
  /** Claims the key. A claim that was not finished after `patienceMs` belongs to whoever asks next. */
  claim(key: string, requestHash: Hash, patienceMs: number): Promise<Claim>
  /** Keeps the result. False if there is one. */
  finish(key: string, result: Json): Promise<boolean>
  /** Gives a claim back that had no effect. */
  abandon(key: string): Promise<void>
  /** Lets whoever asks next go on with a claim at once: nobody is at it any more. */
  release(key: string): Promise<void>
  /** Forgets what was claimed before a moment. Returns how many. */
  forget(before: number): Promise<number>
}

const keyRow = z.object({ request_hash: z.string(), started_at: integer, result: optional(document) })

/** The idempotency keys of a database. */
export function createIdempotencyKeys(query: Query, clock: Clock): IdempotencyKeys {
  return {
    async claim(key, requestHash, patienceMs) {
      const now = clock.now()
      const claimed = await query(
        `INSERT INTO bardo.idempotency_keys AS known (key, request_hash, started_at) VALUES ($1, $2, $3)
         ON CONFLICT (key) DO UPDATE SET started_at = excluded.started_at
           WHERE known.request_hash = excluded.request_hash AND known.result IS NULL AND known.started_at <= $4
         RETURNING 1`,
        [key, requestHash, now, now - patienceMs],
      )
      if (claimed.length > 0) return { is: 'new' }
      const [row] = await query(
        'SELECT request_hash, started_at, result FROM bardo.idempotency_keys WHERE key = $1',
        [key],
      )
      // Forgotten or abandoned between the two: it was somebody's until now.
      if (!row) return { is: 'running', since: now }
      const { request_hash, started_at, result } = parseRow(keyRow, row)
      if (request_hash !== requestHash) return { is: 'mismatch' }
      return result === undefined ? { is: 'running', since: started_at } : { is: 'done', result }
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
