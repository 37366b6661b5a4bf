import type { Address, Hash } from 'viem'
import { z } from 'zod'
import { address, document, hex, integer, optional, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { encodeJson, type Json } from '../json/json.ts'

/** An operation of an owner that was prepared, and the answers so far. */
export type PreparedOperation = {
  readonly id: string
  readonly user: string
  readonly chainId: number
  readonly owner: Address
  readonly kind: string
  readonly input: unknown
  /** The digests of what the owner was shown, in order. */
  readonly digests: readonly Hash[]
  /** Signatures and transactions by digest. */
  readonly answers: unknown
  /** Undefined while it waits. */
  readonly result: unknown
  /** Milliseconds since 1970, like all times here. */
  readonly preparedAt: number
  readonly expiresAt: number
  readonly version: number
}

/** Prepared operations. Each read and write names the user: the id of another user's operation finds nothing. */
export type Operations = {
  add(
    operation: Omit<PreparedOperation, 'input' | 'answers' | 'result' | 'version'> & { readonly input: Json },
  ): Promise<void>
  find(user: string, id: string): Promise<PreparedOperation | undefined>
  /** Stores answers and digests. False if another process changed the operation first. */
  save(
    operation: Pick<PreparedOperation, 'id' | 'user' | 'version' | 'digests'> & { readonly answers: Json },
  ): Promise<boolean>
  /** Stores the result, once. False if it has one. */
  finish(user: string, id: string, result: Json): Promise<boolean>
  /** Deletes operations that ended before a time. Returns how many. */
  forget(before: number): Promise<number>
}

const operationRow = z
  .object({
    id: z.string(),
    user_id: z.string(),
    chain_id: integer,
    owner: address,
    kind: z.string(),
    input: document,
    digests: z.array(hex),
    answers: document,
    result: optional(document),
    prepared_at: integer,
    expires_at: integer,
    version: integer,
  })
  .transform(
    ({ user_id, chain_id, prepared_at, expires_at, ...row }): PreparedOperation => ({
      ...row,
      result: row.result,
      user: user_id,
      chainId: chain_id,
      preparedAt: prepared_at,
      expiresAt: expires_at,
    }),
  )

/** The prepared operations of a database. */
export function createOperations(query: Query): Operations {
  return {
    async add({ id, user, chainId, owner, kind, input, digests, preparedAt, expiresAt }) {
      await query(
        `INSERT INTO bardo.operations
           (id, user_id, chain_id, owner, kind, input, digests, answers, prepared_at, expires_at, version)
         VALUES ($1, $2, $3, $4, $5, $6, $7, '{}', $8, $9, 1)`,
        [id, user, chainId, owner, kind, encodeJson(input), [...digests], preparedAt, expiresAt],
      )
    },

    async find(user, id) {
      const [row] = await query(
        `SELECT id, user_id, chain_id, owner, kind, input, digests, answers, result, prepared_at, expires_at, version
         FROM bardo.operations WHERE user_id = $1 AND id = $2`,
        [user, id],
      )
      return row && parseRow(operationRow, row)
    },

    async save({ id, user, version, digests, answers }) {
      const rows = await query(
        `UPDATE bardo.operations SET digests = $4, answers = $5, version = version + 1
         WHERE user_id = $1 AND id = $2 AND version = $3 AND result IS NULL RETURNING 1`,
        [user, id, version, [...digests], encodeJson(answers)],
      )
      return rows.length > 0
    },

    async finish(user, id, result) {
      const rows = await query(
        `UPDATE bardo.operations SET result = $3, version = version + 1
         WHERE user_id = $1 AND id = $2 AND result IS NULL RETURNING 1`,
        [user, id, encodeJson(result)],
      )
      return rows.length > 0
    },

    async forget(before) {
      const rows = await query('DELETE FROM bardo.operations WHERE expires_at < $1 RETURNING 1', [before])
      return rows.length
    },
  }
}
