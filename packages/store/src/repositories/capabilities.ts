import type { Clock } from '@bardo/core'
import type { Hash } from 'viem'
import { z } from 'zod'
import { amount, document, hex, integer, optional, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { encodeJson } from '../json/json.ts'

/**
 * The right to commit exactly one action, once. The caller holds only the capability id. The limits and the
 * built action stay in the store, so that a caller cannot change or forge them.
 */
export type Capability = {
  readonly capabilityId: string
  readonly golem: Hash
  /** The hash of the previewed action. */
  readonly actionHash: Hash
  /** The hash of the policy that the preview used. */
  readonly policyHash: Hash
  /** min(requested, the policy's maximum). */
  readonly valueLimitCents: bigint
  /** The first tick at which it can be used. */
  readonly mintedAtTick: number
  /** The first tick at which it can no longer be used. */
  readonly expiresAtTick: number
  /** Milliseconds since 1970. */
  readonly mintedAt: number
  /** The built action, sent exactly as it is. Version 0.1 stored none. */
  readonly action?: unknown
}

/** Minted capabilities. They never change, except for the intent that consumes them. */
export type Capabilities = {
  /** False if the id was used before, or the Golem has already minted `most` since `since`. */
  mint(capability: Capability, rate: { readonly most: number; readonly since: number }): Promise<boolean>
  find(
    capabilityId: string,
  ): Promise<{ readonly capability: Capability; readonly consumedBy: string | undefined } | undefined>
  /** Consumes it for one intent. Of any number of intents one gets it, and gets it again if it asks again. */
  consume(capabilityId: string, intentId: string): Promise<boolean>
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
    action: optional(document),
    consumed_by: optional(z.string()),
  })
  .transform((row) => ({
    capability: {
      capabilityId: row.permit_id,
      golem: row.golem,
      actionHash: row.action_hash,
      policyHash: row.policy_hash,
      valueLimitCents: row.value_limit,
      mintedAtTick: row.minted_at_tick,
      expiresAtTick: row.expires_at_tick,
      mintedAt: row.minted_at,
      ...(row.action !== undefined && { action: row.action }),
    },
    consumedBy: row.consumed_by,
  }))

/** The capabilities of a database. */
export function createCapabilities(query: Query, clock: Clock): Capabilities {
  const columns =
    'permit_id, golem, action_hash, policy_hash, value_limit, minted_at_tick, expires_at_tick, minted_at, action'

  return {
    async mint(
      { capabilityId, golem, actionHash, policyHash, valueLimitCents, action, ...when },
      { most, since },
    ) {
      const hashes = [golem, actionHash, policyHash].map((hash) => hash.toLowerCase())
      const times = [when.mintedAtTick, when.expiresAtTick, when.mintedAt]
      const built = action === undefined ? null : encodeJson(action)
      const rows = await query(
        `INSERT INTO bardo.capabilities (${columns})
         SELECT $1::text, $2::text, $3::text, $4::text, $5::numeric, $6::bigint, $7::bigint, $8::bigint, $9::text
         WHERE (SELECT count(*) FROM bardo.capabilities WHERE golem = $2::text AND minted_at > $10::bigint) < $11::bigint
         ON CONFLICT DO NOTHING RETURNING 1`,
        [capabilityId, ...hashes, valueLimitCents.toString(), ...times, built, since, most],
      )
      if (rows.length === 0) return false
      // Concurrent inserts do not see each other. Each one that now sees too many withdraws its own.
      const withdrawn = await query(
        `DELETE FROM bardo.capabilities WHERE permit_id = $1
         AND (SELECT count(*) FROM bardo.capabilities WHERE golem = $2 AND minted_at > $3) > $4 RETURNING 1`,
        [capabilityId, hashes[0], since, most],
      )
      return withdrawn.length === 0
    },

    async find(capabilityId) {
      const [row] = await query(
        `SELECT ${columns}, consumed_by FROM bardo.capabilities WHERE permit_id = $1`,
        [capabilityId],
      )
      return row && parseRow(capabilityRow, row)
    },

    async consume(capabilityId, intentId) {
      const rows = await query(
        `UPDATE bardo.capabilities SET consumed_by = $2, consumed_at = COALESCE(consumed_at, $3)
         WHERE permit_id = $1 AND (consumed_by IS NULL OR consumed_by = $2) RETURNING 1`,
        [capabilityId, intentId, clock.now()],
      )
      return rows.length > 0
    },
  }
}
