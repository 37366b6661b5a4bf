import { type Clock, createBatcher } from '@bardo/core'
import type { Hash } from 'viem'
import { z } from 'zod'
import { document, hex, integer, optional, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { encodeJson, type Json } from '../json/json.ts'

/** Maximum number of entries per statement. */
const most = 500

/** An entry of a Golem's grimoire. */
export type GrimoireEntry = {
  readonly golem: Hash
  readonly key: string
  /** `permission`, `warning`, `testament`, … */
  readonly kind: string
  /** Where it comes from: `policy_violation` for a refusal. */
  readonly source: string | undefined
  readonly body: unknown
  readonly createdAt: number
  readonly updatedAt: number
}

/** The grimoires of all Golems: permission objects, warnings, testaments. */
export type Grimoire = {
  /** Writes an entry, or overwrites the one with that key. */
  put(entry: {
    readonly golem: Hash
    readonly key: string
    readonly kind: string
    readonly source?: string
    readonly body: Json
  }): Promise<void>
  get(golem: Hash, key: string): Promise<GrimoireEntry | undefined>
  /** Deletes an entry. False if there is none. */
  remove(golem: Hash, key: string): Promise<boolean>
  /** A Golem's entries in key order, from a cursor on. */
  list(selection: {
    readonly golem: Hash
    readonly prefix?: string
    readonly kind?: string
    /** The last key of the previous page. */
    readonly after?: string
    readonly limit?: number
  }): Promise<readonly GrimoireEntry[]>
}

/** The key of a Golem's runway permission. */
export const permissionKey = (golem: Hash) => `metamask.permission.${golem.toLowerCase()}`

const entryRow = z
  .object({
    golem: hex,
    key: z.string(),
    kind: z.string(),
    source: optional(z.string()),
    body: document,
    created_at: integer,
    updated_at: integer,
  })
  .transform(
    ({ body, created_at, updated_at, ...row }): GrimoireEntry => ({
      ...row,
      body,
      createdAt: created_at,
      updatedAt: updated_at,
    }),
  )

/** The grimoire of a database. */
export function createGrimoire(query: Query, clock: Clock): Grimoire {
  const columns = 'golem, key, kind, source, body, created_at, updated_at'

  const findRow = createBatcher(
    async (requested: readonly { readonly golem: string; readonly key: string }[]) => {
      const rows = await query(
        `SELECT ${columns} FROM bardo.grimoire
         WHERE (golem, key) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
        [requested.map(({ golem }) => golem), requested.map(({ key }) => key)],
      )
      const rowByKey = new Map(rows.map((row) => [`${row['golem']} ${row['key']}`, row]))
      return requested.map(({ golem, key }) => rowByKey.get(`${golem} ${key}`))
    },
    { most },
  )

  return {
    async put({ golem, key, kind, source, body }) {
      await query(
        `INSERT INTO bardo.grimoire (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $6)
         ON CONFLICT (golem, key) DO UPDATE
           SET kind = excluded.kind, source = excluded.source, body = excluded.body, updated_at = excluded.updated_at`,
        [golem.toLowerCase(), key, kind, source ?? null, encodeJson(body), clock.now()],
      )
    },

    async get(golem, key) {
      const row = await findRow({ golem: golem.toLowerCase(), key })
      return row && parseRow(entryRow, row)
    },

    async remove(golem, key) {
      const rows = await query('DELETE FROM bardo.grimoire WHERE golem = $1 AND key = $2 RETURNING 1', [
        golem.toLowerCase(),
        key,
      ])
      return rows.length > 0
    },

    async list({ golem, prefix = '', kind, after = '', limit = 100 }) {
      const rows = await query(
        `SELECT ${columns} FROM bardo.grimoire
         WHERE golem = $1 AND starts_with(key, $2) AND key >= $2 AND key > $3 ${kind === undefined ? '' : 'AND kind = $5'}
         ORDER BY key LIMIT $4`,
        [golem.toLowerCase(), prefix, after, limit, ...(kind === undefined ? [] : [kind])],
      )
      return rows.map((row) => parseRow(entryRow, row))
    },
  }
}
