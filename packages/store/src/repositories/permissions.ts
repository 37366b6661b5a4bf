import type { Clock, ReadGrant } from '@bardo/core'
import { type Hash, keccak256 } from 'viem'
import { z } from 'zod'
import { afterRowsOf } from '../database/afterRowsOf.ts'
import { address, document, hex, integer, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { rowsByGolem } from '../database/rowsByGolem.ts'
import { encodeJson } from '../json/json.ts'

const states = ['active', 'superseded', 'revoked'] as const

/** An ERC-7715 grant, as the wallet returned it. */
export type PermissionRecord = {
  /** The hash of its permission context. */
  readonly id: Hash
  readonly golem: Hash
  readonly grant: ReadGrant
  readonly state: (typeof states)[number]
  readonly storedAt: number
}

/** The grants of all Golems. */
export type Permissions = {
  /** Stores a grant and returns its id. Idempotent. */
  add(golem: Hash, grant: ReadGrant): Promise<Hash>
  find(id: Hash): Promise<PermissionRecord | undefined>
  /** A Golem's grants, oldest first. */
  list(golem: Hash): Promise<readonly PermissionRecord[]>
  /** Ends an active one. False if it had ended before. */
  end(id: Hash, state: 'superseded' | 'revoked'): Promise<boolean>
}

const grant = z
  .object({
    chainId: z.bigint(),
    from: address.optional(),
    to: address,
    type: z.string(),
    data: z.looseObject({
      tokenAddress: address.nullish(),
      periodAmount: z.bigint().nullish(),
      periodDuration: z.number().nullish(),
      startTime: z.number().nullish(),
      allowanceAmount: z.bigint().nullish(),
      amountPerSecond: z.bigint().nullish(),
      initialAmount: z.bigint().nullish(),
      maxAmount: z.bigint().nullish(),
    }),
    expiry: z.number().optional(),
    payees: z.array(address).optional(),
    redeemers: z.array(address).optional(),
    otherRules: z.array(z.string()),
    context: hex,
    delegationManager: address,
    dependencies: z.array(z.object({ factory: address, factoryData: hex })),
  })
  .transform(
    ({ from, expiry, payees, redeemers, ...rest }): ReadGrant => ({
      ...rest,
      from,
      expiry,
      payees,
      redeemers,
    }),
  )

const permissionRow = z
  .object({
    id: hex,
    golem: hex,
    grant_body: document.pipe(grant),
    state: z.enum(states),
    stored_at: integer,
  })
  .transform(
    ({ grant_body, stored_at, ...row }): PermissionRecord => ({
      ...row,
      grant: grant_body,
      storedAt: stored_at,
    }),
  )

/** The grants of a database. */
export function createPermissions(query: Query, clock: Clock): Permissions {
  const columns = 'id, golem, grant_body, state, stored_at'

  const rowsOf = rowsByGolem(
    query,
    `SELECT ${columns} FROM bardo.permissions WHERE golem = ANY($1) ORDER BY stored_at, id`,
  )

  return {
    async add(golem, grant) {
      const id = keccak256(grant.context)
      await query(
        `INSERT INTO bardo.permissions (${columns})
         VALUES ($1, $2, $3, 'active', ${afterRowsOf('permissions', 'stored_at', '$2', '$4')})
         ON CONFLICT DO NOTHING`,
        [id, golem.toLowerCase(), encodeJson(grant), clock.now()],
      )
      return id
    },

    async find(id) {
      const [row] = await query(`SELECT ${columns} FROM bardo.permissions WHERE id = $1`, [id.toLowerCase()])
      return row && parseRow(permissionRow, row)
    },

    async list(golem) {
      const rows = await rowsOf(golem)
      return rows.map((row) => parseRow(permissionRow, row))
    },

    async end(id, state) {
      const rows = await query(
        "UPDATE bardo.permissions SET state = $2 WHERE id = $1 AND state = 'active' RETURNING 1",
        [id.toLowerCase(), state],
      )
      return rows.length > 0
    },
  }
}
