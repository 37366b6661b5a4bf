import { type Clock, type Delegation, hashDelegation } from '@bardo/core'
import type { Hash, Hex } from 'viem'
import { z } from 'zod'
import { afterRowsOf } from '../database/afterRowsOf.ts'
import { address, document, hex, integer, optional, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { rowsByGolem } from '../database/rowsByGolem.ts'
import { encodeJson } from '../json/json.ts'

const states = ['active', 'superseded', 'revoked', 'expired', 'exhausted'] as const

/** The stored state of a delegation. The chain is authoritative. */
export type DelegationRecordState = (typeof states)[number]

/** A signed delegation, and the permission context it is redeemed with. */
export type DelegationRecord = {
  readonly hash: Hash
  readonly golem: Hash
  readonly delegation: Delegation
  /** The permission context: the encoded delegations, leaf first. */
  readonly context: Hex
  readonly state: DelegationRecordState
  /** The delegation that replaced it. */
  readonly supersededBy: Hash | undefined
  readonly storedAt: number
}

/** The delegations of all Golems, including ended ones. */
export type Delegations = {
  /** Stores a delegation under its own hash, and returns the hash. Idempotent. */
  add(entry: { readonly golem: Hash; readonly delegation: Delegation; readonly context: Hex }): Promise<Hash>
  find(hash: Hash): Promise<DelegationRecord | undefined>
  /** A Golem's delegations, oldest first. */
  list(golem: Hash): Promise<readonly DelegationRecord[]>
  /** Ends an active one. False if it had ended before. */
  end(hash: Hash, state: 'revoked' | 'expired' | 'exhausted'): Promise<boolean>
  /** Replaces an active one with another. False if it had ended before. */
  supersede(hash: Hash, by: Hash): Promise<boolean>
}

const delegation = z.object({
  delegate: address,
  delegator: address,
  authority: hex,
  caveats: z.array(z.object({ enforcer: address, terms: hex, args: hex })),
  salt: z.bigint(),
  signature: hex,
}) satisfies z.ZodType<Delegation>

const delegationRow = z
  .object({
    hash: hex,
    golem: hex,
    delegation: document.pipe(delegation),
    context: hex,
    state: z.enum(states),
    superseded_by: optional(hex),
    stored_at: integer,
  })
  .transform(
    ({ superseded_by, stored_at, ...row }): DelegationRecord => ({
      ...row,
      supersededBy: superseded_by,
      storedAt: stored_at,
    }),
  )

/** The delegations of a database. */
export function createDelegations(query: Query, clock: Clock): Delegations {
  const columns = 'hash, golem, delegation, context, state, superseded_by, stored_at'
  const rowsOf = rowsByGolem(
    query,
    `SELECT ${columns} FROM bardo.delegations WHERE golem = ANY($1) ORDER BY stored_at, hash`,
  )

  return {
    async add({ golem, delegation, context }) {
      const hash = hashDelegation(delegation)
      await query(
        `INSERT INTO bardo.delegations (hash, golem, delegation, context, state, stored_at)
         VALUES ($1, $2, $3, $4, 'active', ${afterRowsOf('delegations', 'stored_at', '$2', '$5')})
         ON CONFLICT DO NOTHING`,
        [hash, golem.toLowerCase(), encodeJson(delegation), context, clock.now()],
      )
      return hash
    },

    async find(hash) {
      const [row] = await query(`SELECT ${columns} FROM bardo.delegations WHERE hash = $1`, [
        hash.toLowerCase(),
      ])
      return row && parseRow(delegationRow, row)
    },

    async list(golem) {
      return (await rowsOf(golem)).map((row) => parseRow(delegationRow, row))
    },

    async end(hash, state) {
      const rows = await query(
        "UPDATE bardo.delegations SET state = $2 WHERE hash = $1 AND state = 'active' RETURNING 1",
        [hash.toLowerCase(), state],
      )
      return rows.length > 0
    },

    async supersede(hash, by) {
      const rows = await query(
        `UPDATE bardo.delegations SET state = 'superseded', superseded_by = $2
         WHERE hash = $1 AND state = 'active' RETURNING 1`,
        [hash.toLowerCase(), by.toLowerCase()],
      )
      return rows.length > 0
    },
  }
}
