import type { Clock } from '@bardo/core'
import type { Hash } from 'viem'
import { z } from 'zod'
import { amount, hex, integer, optional, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'

/** Leave to do exactly one thing, once. */
export type Capability = {
  readonly permitId: string
  readonly golem: Hash
  /** Of the action it was previewed for. */
  readonly actionHash: Hash
  /** Of the policy it was judged by. */
  readonly policyHash: Hash
  readonly valueLimit: bigint
  readonly mintedAtTick: number
  /** It counts before this tick. */
  readonly expiresAtTick: number
  /** Milliseconds since 1970. */
  readonly mintedAt: number
}

/** Capability tokens that were minted. They never change, but for who used one up. */
export type Capabilities = {
  /** False if the permit's id was used before, or the Golem minted `most` since `since` already. */
  mint(capability: Capability, rate: { readonly most: number; readonly since: number }): Promise<boolean>
  find(
    permitId: string,
  ): Promise<{ readonly capability: Capability; readonly consumedBy: string | undefined } | undefined>
  /** Uses it up for one intent. Of any number of intents one gets it, and gets it again when it asks again. */
  consume(permitId: string, intentId: string): Promise<boolean>
}

const capabilityRow = z
  .object({
    permit_id: z.string(),
    golem: hex,
    action_hash: hex,
    policy_hash: hex,
    value_limit: amount,
    minted_at_tick: integer,
    expires_at_tick: integer,
    minted_at: integer,
    consumed_by: optional(z.string()),
  })
  .transform((row) => ({
    capability: {
      permitId: row.permit_id,
      golem: row.golem,
      actionHash: row.action_hash,
      policyHash: row.policy_hash,
      valueLimit: row.value_limit,
      mintedAtTick: row.minted_at_tick,
      expiresAtTick: row.expires_at_tick,
      mintedAt: row.minted_at,
    },
    consumedBy: row.consumed_by,
  }))

/** The capability tokens of a database. */
export function createCapabilities(query: Query, clock: Clock): Capabilities {
  const columns =
    'permit_id, golem, action_hash, policy_hash, value_limit, minted_at_tick, expires_at_tick, minted_at'

  return {
    async mint({ permitId, golem, actionHash, policyHash, valueLimit, ...when }, { most, since }) {
      const hashes = [golem, actionHash, policyHash].map((hash) => hash.toLowerCase())
      const times = [when.mintedAtTick, when.expiresAtTick, when.mintedAt]
      const rows = await query(
        `INSERT INTO bardo.capabilities (${columns})
         SELECT $1::text, $2::text, $3::text, $4::text, $5::numeric, $6::bigint, $7::bigint, $8::bigint
         WHERE (SELECT count(*) FROM bardo.capabilities WHERE golem = $2::text AND minted_at > $9::bigint) < $10::bigint
         ON CONFLICT DO NOTHING RETURNING 1`,
        [permitId, ...hashes, valueLimit.toString(), ...times, since, most],
      )
      if (rows.length === 0) return false
      // Those that came at the same moment did not see each other. Whoever sees too many now takes its own back.
      const withdrawn = await query(
        `DELETE FROM bardo.capabilities WHERE permit_id = $1
         AND (SELECT count(*) FROM bardo.capabilities WHERE golem = $2 AND minted_at > $3) > $4 RETURNING 1`,
        [permitId, hashes[0], since, most],
      )
      return withdrawn.length === 0
    },

    async find(permitId) {
      const [row] = await query(
        `SELECT ${columns}, consumed_by FROM bardo.capabilities WHERE permit_id = $1`,
        [permitId],
      )
      return row && parseRow(capabilityRow, row)
    },

    async consume(permitId, intentId) {
      const rows = await query(
        `UPDATE bardo.capabilities SET consumed_by = $2, consumed_at = COALESCE(consumed_at, $3)
         WHERE permit_id = $1 AND (consumed_by IS NULL OR consumed_by = $2) RETURNING 1`,
        [permitId, intentId, clock.now()],
      )
      return rows.length > 0
    },
  }
}
