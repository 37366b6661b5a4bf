import { BardoError, type Clock, type Curve, type SealedKey } from '@bardo/core'
import type { Address, Hash, Hex } from 'viem'
import { z } from 'zod'
import { afterRowsOf } from '../database/afterRowsOf.ts'
import { address, amount, document, hex, integer, optional, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { rowsByGolem } from '../database/rowsByGolem.ts'
import { encodeJson } from '../json/json.ts'

/** `made`: not in use yet. `retired`: another key has replaced it. `wiped`: its sealed bytes are deleted. */
const statuses = ['made', 'active', 'retired', 'wiped'] as const

/** The status of a key, which only moves forward. */
export type SessionKeyStatus = (typeof statuses)[number]

/** A stored session key: sealed, or only its public part. There is no field for an unsealed key. */
export type SessionKeyRecord = {
  readonly publicKey: Hex
  readonly golem: Hash
  readonly curve: Curve
  /** For a P-256 key, the session account that it signs for. */
  readonly address: Address
  /** Undefined if the key is only in a worker's memory, or was wiped. */
  readonly sealed: SealedKey | undefined
  readonly status: SessionKeyStatus
  readonly operations: number
  readonly valueCents: bigint
  readonly createdAt: number
  readonly lastUsedAt: number | undefined
}

/** The session keys of all Golems. */
export type SessionKeys = {
  /** False if the key exists. */
  add(
    key: Pick<SessionKeyRecord, 'publicKey' | 'golem' | 'curve' | 'address'> & {
      readonly sealed?: SealedKey
    },
  ): Promise<boolean>
  find(publicKey: Hex): Promise<SessionKeyRecord | undefined>
  /** A Golem's keys, oldest first. */
  list(golem: Hash): Promise<readonly SessionKeyRecord[]>
  /** The Golems whose active keys these addresses are. */
  activeGolems(addresses: readonly Address[]): Promise<readonly Hash[]>
  /** Counts one signed operation. */
  countUse(publicKey: Hex, valueCents: bigint): Promise<void>
  /** Moves the status forward. False if the key already has this status or a later one. */
  advance(publicKey: Hex, status: 'active' | 'retired'): Promise<boolean>
  /** Deletes the sealed bytes permanently. */
  wipe(publicKey: Hex): Promise<void>
}

// Strict: any other property next to a sealed key would be stored in the clear.
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

const golemColumn = z.object({ golem: hex })

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
         VALUES ($1, $2, $3, $4, $5, 'made', ${afterRowsOf('session_keys', 'created_at', '$2', '$6')})
         ON CONFLICT DO NOTHING RETURNING 1`,
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

    async activeGolems(addresses) {
      const rows = await query(
        `SELECT golem FROM bardo.session_keys WHERE lower(address) = ANY($1) AND status = 'active'`,
        [addresses.map((each) => each.toLowerCase())],
      )
      return rows.map((row) => parseRow(golemColumn, row).golem)
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
  // The content is not shown: it may be an unsealed key.
  throw new BardoError('This is not the sealed form of that key.', { code: 'INVALID_INPUT' })
}
