import { BardoError, type Journal, type Sender } from '@bardo/core'
import { parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { encodeJson } from '../json/json.ts'
import { journalRow } from './journalRecord.ts'

/** The columns of `journalRow`. */
export const journalColumns = 'intent, added_at, nonce, attempts, closing, mined, settlement, undone'
const senderOf = ({ chainId, from }: Sender) => [chainId, from.toLowerCase()]

/**
 * The journal in the database. Every write is one conditional statement on one row: the database serialises
 * writers of the same row, and each sees the result of the previous one.
 */
export function createJournal(query: Query): Journal {
  /** Whether the statement changed the intent's row. Only if it did not, checks that the row exists. */
  async function write(intentId: string, change: string, values: readonly unknown[] = []): Promise<boolean> {
    const changed = await query(`${change} RETURNING 1`, [intentId, ...values])
    if (changed.length > 0) return true
    const existing = await query('SELECT 1 FROM bardo.journal WHERE id = $1', [intentId])
    if (existing.length > 0) return false
    throw new BardoError('The journal has no intent with this id.', {
      code: 'INVALID_INPUT',
      details: [intentId],
    })
  }

  return {
    async addIntent(intent, at) {
      const added = await query(
        `INSERT INTO bardo.journal (id, chain_id, sender, intent, added_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING RETURNING 1`,
        [intent.id, ...senderOf(intent), encodeJson(intent), at],
      )
      return added.length > 0
    },

    async claimNonce(intentId, nonce) {
      try {
        return await write(
          intentId,
          `UPDATE bardo.journal SET nonce = $2
           WHERE id = $1 AND nonce IS NULL AND NOT closing AND settlement IS NULL`,
          [nonce],
        )
      } catch (error) {
        if (isTaken(error)) return false
        throw error
      }
    },

    addAttempt: (intentId, expected, attempt) =>
      write(
        intentId,
        `UPDATE bardo.journal SET attempts = attempts || $2::text
         WHERE id = $1 AND cardinality(attempts) = $3 AND nonce IS NOT NULL AND settlement IS NULL
           AND ($4 OR NOT closing)`,
        [encodeJson(attempt), expected, attempt.purpose === 'close'],
      ),

    close: (intentId) =>
      write(
        intentId,
        'UPDATE bardo.journal SET closing = true WHERE id = $1 AND NOT closing AND settlement IS NULL',
      ),

    noteMined: (intentId, mined) =>
      write(intentId, 'UPDATE bardo.journal SET mined = $2 WHERE id = $1 AND settlement IS NULL', [
        mined ? encodeJson(mined) : null,
      ]),

    settle: (intentId, settlement) =>
      write(
        intentId,
        `UPDATE bardo.journal SET settlement = $2
         WHERE id = $1 AND settlement IS NULL AND ($3 OR nonce IS NULL)`,
        [encodeJson(settlement), settlement.kind !== 'dropped'],
      ),

    reopen: (intentId, closing) =>
      write(
        intentId,
        `UPDATE bardo.journal SET undone = settlement, settlement = NULL, posted = false, closing = closing OR $2
         WHERE id = $1 AND settlement IS NOT NULL AND nonce IS NOT NULL`,
        [closing],
      ),

    async find(intentId) {
      const [row] = await query(`SELECT ${journalColumns} FROM bardo.journal WHERE id = $1`, [intentId])
      return row && parseRow(journalRow, row)
    },

    async open(sender) {
      const rows = await query(
        `SELECT ${journalColumns} FROM bardo.journal WHERE chain_id = $1 AND sender = $2 AND settlement IS NULL
         ORDER BY nonce NULLS LAST, added_at`,
        senderOf(sender),
      )
      return rows.map((row) => parseRow(journalRow, row))
    },

    async from(sender, nonce) {
      const rows = await query(
        `SELECT ${journalColumns} FROM bardo.journal WHERE chain_id = $1 AND sender = $2 AND nonce >= $3 ORDER BY nonce`,
        [...senderOf(sender), nonce],
      )
      return rows.map((row) => parseRow(journalRow, row))
    },

    async highestNonce(sender) {
      const [row] = await query(
        `SELECT nonce FROM bardo.journal WHERE chain_id = $1 AND sender = $2 AND nonce IS NOT NULL
         ORDER BY nonce DESC LIMIT 1`,
        senderOf(sender),
      )
      return row ? Number(row['nonce']) : undefined
    },
  }
}

/** Another intent of that sender has the nonce: the unique index refused it. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}
