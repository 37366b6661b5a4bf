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
  /** The last tick in which it counts. */
  readonly expiresAtTick: number
}

/** What came of using one. */
export type Consumption =
  | { readonly is: 'consumed'; readonly capability: Capability }
  | {
      readonly is: 'refused'
      readonly why: 'unknown' | 'consumed' | 'expired' | 'other-action' | 'other-policy'
    }

/** Capability tokens that were minted. */
export type Capabilities = {
  /** False if the permit's id was used before. */
  mint(capability: Capability): Promise<boolean>
  /** Uses it up for this action, under this policy, in this tick. Of any number who try, one succeeds. */
  consume(use: {
    readonly permitId: string
    readonly golem: Hash
    readonly actionHash: Hash
    readonly policyHash: Hash
    readonly tick: number
  }): Promise<Consumption>
}

const capabilityRow = z
  .object({
    permit_id: z.string(),
    golem: hex,
    action_hash: hex,
    policy_hash: hex,
    value_limit: amount,
    expires_at_tick: integer,
    consumed_at: optional(integer),
  })
  .transform((row) => ({
    capability: {
      permitId: row.permit_id,
      golem: row.golem,
      actionHash: row.action_hash,
      policyHash: row.policy_hash,
      valueLimit: row.value_limit,
      expiresAtTick: row.expires_at_tick,
    },
    isConsumed: row.consumed_at !== undefined,
  }))

/** The capability tokens of a database. */
export function createCapabilities(query: Query, clock: Clock): Capabilities {
  const columns = 'permit_id, golem, action_hash, policy_hash, value_limit, expires_at_tick, consumed_at'

  return {
    async mint({ permitId, golem, actionHash, policyHash, valueLimit, expiresAtTick }) {
      const hashes = [golem, actionHash, policyHash].map((hash) => hash.toLowerCase())
      const rows = await query(
        `INSERT INTO bardo.capabilities (permit_id, golem, action_hash, policy_hash, value_limit, expires_at_tick, minted_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING 1`,
        [permitId, ...hashes, valueLimit.toString(), expiresAtTick, clock.now()],
      )
      return rows.length > 0
    },

    async consume({ permitId, tick, ...use }) {
      const hashes = [use.golem, use.actionHash, use.policyHash].map((hash) => hash.toLowerCase())
      const [consumed] = await query(
        `UPDATE bardo.capabilities SET consumed_at = $6
         WHERE permit_id = $1 AND golem = $2 AND action_hash = $3 AND policy_hash = $4 AND expires_at_tick >= $5
           AND consumed_at IS NULL RETURNING ${columns}`,
        [permitId, ...hashes, tick, clock.now()],
      )
      if (consumed) return { is: 'consumed', capability: parseRow(capabilityRow, consumed).capability }

      const [row] = await query(
        `SELECT ${columns} FROM bardo.capabilities WHERE permit_id = $1 AND golem = $2`,
        [permitId, use.golem.toLowerCase()],
      )
      if (!row) return { is: 'refused', why: 'unknown' }
      const { capability, isConsumed } = parseRow(capabilityRow, row)
      if (isConsumed) return { is: 'refused', why: 'consumed' }
      if (capability.expiresAtTick < tick) return { is: 'refused', why: 'expired' }
      const isSameAction = capability.actionHash === use.actionHash.toLowerCase()
      return { is: 'refused', why: isSameAction ? 'other-policy' : 'other-action' }
    },
  }
}
