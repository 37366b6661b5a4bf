import { BardoError, type Clock, type Curve, type SealedKey } from '@bardo/core'
import type { Address, Hash, Hex } from 'viem'
import { z } from 'zod'
import { address, amount, document, hex, integer, optional, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { rowsByGolem } from '../database/rowsByGolem.ts'
import { encodeJson } from '../json/json.ts'

/** `made`: nothing accepts it yet. `retired`: another has taken over. `wiped`: its sealed bytes are gone. */
const statuses = ['made', 'active', 'retired', 'wiped'] as const

/** Where a key stands in its life, which goes one way. */
export type SessionKeyStatus = (typeof statuses)[number]

/** A session key as it is stored: sealed, or known by name alone. There is no field for an open one. */
export type SessionKeyRecord = {
  readonly publicKey: Hex
  readonly golem: Hash
  readonly curve: Curve
  /** A P-256 key is named by the session account it signs for. */
  readonly address: Address
  /** Undefined where the key lives in a worker's memory, or was wiped. */
  readonly sealed: SealedKey | undefined
  readonly status: SessionKeyStatus
  readonly operations: number
  readonly valueCents: bigint
  readonly createdAt: number
  readonly lastUsedAt: number | undefined
}

/** The session keys of all Golems. */
export type SessionKeys = {
  /** False if the key is there. */
  add(
    key: Pick<SessionKeyRecord, 'publicKey' | 'golem' | 'curve' | 'address'> & {
      readonly sealed?: SealedKey
    },
  ): Promise<boolean>
  find(publicKey: Hex): Promise<SessionKeyRecord | undefined>
  /** A Golem's, oldest first. */
  list(golem: Hash): Promise<readonly SessionKeyRecord[]>
  /** Counts one signed operation. */
  countUse(publicKey: Hex, valueCents: bigint): Promise<void>
  /** One step on in its life. False if it is there already, or further. */
  advance(publicKey: Hex, status: 'active' | 'retired'): Promise<boolean>
  /** Removes the sealed bytes for good. */
  wipe(publicKey: Hex): Promise<void>
}

// Strict: whatever else came along with a sealed key would be stored in the open.
const sealedKey = z.strictObject({
  version: z.literal(1),
  curve: z.enum(['secp256k1', 'p256']),
  publicKey: hex,
  kdf: z.discriminatedUnion('name', [
    z.strictObject({ name: z.literal('scrypt'), N: z.int(), r: z.int(), p: z.int() }),
    z.strictObject({ name: z.literal('hkdf-sha256') }),
  ]),
  cipher: z.literal('xchacha20-poly1305'),
  salt: hex,
  nonce: hex,
  check: hex,
  sealed: hex,
  checksum: hex,
}) satisfies z.ZodType<SealedKey>

const sessionKeyRow = z
  .object({
    public_key: hex,
    golem: hex,
    curve: z.enum(['secp256k1', 'p256']),
    address,
    sealed: optional(document.pipe(sealedKey)),
    status: z.enum(statuses),
    operations: integer,
    value_cents: amount,
    created_at: integer,
    last_used_at: optional(integer),
  })
  .transform(
    ({ public_key, value_cents, created_at, last_used_at, ...row }): SessionKeyRecord => ({
      ...row,
      publicKey: public_key,
      valueCents: value_cents,
      createdAt: created_at,
      lastUsedAt: last_used_at,
    }),
  )

/** The session keys of a database. */
export function createSessionKeys(query: Query, clock: Clock): SessionKeys {
  const columns =
    'public_key, golem, curve, address, sealed, status, operations, value_cents, created_at, last_used_at'

  const rowsOf = rowsByGolem(
    query,
    `SELECT ${columns} FROM bardo.session_keys WHERE golem = ANY($1) ORDER BY created_at, public_key`,
  )

  return {
    async add({ publicKey, golem, curve, address, sealed }) {
      const rows = await query(
        `INSERT INTO bardo.session_keys (public_key, golem, curve, address, sealed, status, created_at)
         VALUES ($1, $2, $3, $4, $5, 'made', $6) ON CONFLICT DO NOTHING RETURNING 1`,
        [
          publicKey,
          golem.toLowerCase(),
          curve,
          address,
          sealed ? sealedText(sealed, publicKey) : null,
          clock.now(),
        ],
      )
      return rows.length > 0
    },

    async find(publicKey) {
      const [row] = await query(`SELECT ${columns} FROM bardo.session_keys WHERE public_key = $1`, [
        publicKey,
      ])
      return row && parseRow(sessionKeyRow, row)
    },

    async list(golem) {
      const rows = await rowsOf(golem)
      return rows.map((row) => parseRow(sessionKeyRow, row))
    },

    async countUse(publicKey, valueCents) {
      await query(
        `UPDATE bardo.session_keys SET operations = operations + 1, value_cents = value_cents + $2, last_used_at = $3
         WHERE public_key = $1`,
        [publicKey, valueCents.toString(), clock.now()],
      )
    },

    async advance(publicKey, status) {
      const rows = await query(
        'UPDATE bardo.session_keys SET status = $2 WHERE public_key = $1 AND status = ANY($3) RETURNING 1',
        [publicKey, status, statuses.slice(0, statuses.indexOf(status))],
      )
      return rows.length > 0
    },

    async wipe(publicKey) {
      await query("UPDATE bardo.session_keys SET sealed = NULL, status = 'wiped' WHERE public_key = $1", [
        publicKey,
      ])
    },
  }
}

function sealedText(sealed: SealedKey, publicKey: Hex): string {
  const parsed = sealedKey.safeParse(sealed)
  if (parsed.success && parsed.data.publicKey === publicKey) return encodeJson(parsed.data)
  // What it holds instead is not shown: it may be a key in the open.
  throw new BardoError('This is not the sealed form of that key.', { code: 'INVALID_INPUT' })
}
