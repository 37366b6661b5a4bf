import { BardoError, type Clock, type CustodyMode, type Onboarding, type Phase, phases } from '@bardo/core'
import { type Address, getAddress, type Hash } from 'viem'
import { z } from 'zod'
import { address, document, hex, integer, optional, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { rowsByGolem } from '../database/rowsByGolem.ts'
import { encodeJson } from '../json/json.ts'
import { onboardingSchema } from './onboardingSchema.ts'

const statuses = ['onboarding', 'alive', 'observing', 'dying', 'dead'] as const
const custodyModes = ['delegation', 'embedded', 'localKey'] as const satisfies readonly CustodyMode[]

/** The status of a Golem. `observing`: in observe-only mode, it does not act until the reason is gone. */
export type GolemStatus = (typeof statuses)[number]

/** A stored Golem. */
export type Golem = {
  readonly id: Hash
  readonly owner: Address
  readonly name: string
  /** Undefined until it is chosen. */
  readonly custody: CustodyMode | undefined
  readonly status: GolemStatus
  readonly phase: Phase
  readonly strategy: { readonly text: string; readonly hash: Hash } | undefined
  readonly onboarding: Onboarding
  /** When its next tick is due. */
  readonly nextTick: number | undefined
  /** When its owner paused it, in milliseconds; undefined while it may act. Only {@link Golems.setPaused} writes it. */
  readonly pausedAt: number | undefined
  readonly createdAt: number
  /** Counts the writes. A write succeeds only if the stored version is still the one that was read. */
  readonly version: number
}

type NewGolem = Omit<Golem, 'version' | 'createdAt' | 'pausedAt'>

/** The Golems of this store. */
export type Golems = {
  /** False if a Golem with that id exists. */
  create(golem: NewGolem): Promise<boolean>
  find(id: Hash): Promise<Golem | undefined>
  /**
   * Writes the changes and returns the new record; undefined if another write happened since it was read. A
   * custody mode that was chosen cannot change: a different one throws `STEP_OUT_OF_ORDER`.
   */
  save(golem: Golem): Promise<Golem | undefined>
  /**
   * Pauses a Golem at a time in milliseconds, or resumes it. False if it was so before. A save of a record that was
   * read earlier does not undo it.
   */
  setPaused(id: Hash, at: number | undefined): Promise<boolean>
  /** By id, from a cursor on. */
  list(selection?: {
    readonly owner?: Address
    readonly name?: string
    readonly after?: Hash
    readonly limit?: number
  }): Promise<readonly Golem[]>
  /** Golems whose tick was due before a time, longest overdue first: a crashed worker leaves them behind. */
  overdue(
    before: number,
    selection?: { readonly after?: Pick<Golem, 'id' | 'nextTick'>; readonly limit?: number },
  ): Promise<readonly Golem[]>
}

const golemRow = z
  .object({
    id: hex,
    // Stored in lower case, so that it can be searched.
    owner: address.transform((value) => getAddress(value)),
    name: z.string(),
    custody: optional(z.enum(custodyModes)),
    status: z.enum(statuses),
    phase: z.enum(phases),
    strategy: optional(z.string()),
    strategy_hash: optional(hex),
    onboarding: document.pipe(onboardingSchema),
    next_tick: optional(integer),
    paused_at: optional(integer),
    created_at: integer,
    version: integer,
  })
  .transform(({ strategy: text, strategy_hash: hash, next_tick, paused_at, created_at, ...row }): Golem => {
    const strategy = text !== undefined && hash !== undefined ? { text, hash } : undefined
    return { ...row, strategy, nextTick: next_tick, pausedAt: paused_at, createdAt: created_at }
  })

/** The Golems of a database. */
export function createGolems(query: Query, clock: Clock): Golems {
  const written =
    'id, owner, name, custody, status, phase, strategy, strategy_hash, onboarding, next_tick, created_at, version'
  const columns = `${written}, paused_at`
  const rowsOf = rowsByGolem(query, `SELECT id AS golem, ${columns} FROM bardo.golems WHERE id = ANY($1)`)

  return {
    async create(golem) {
      const rows = await query(
        `INSERT INTO bardo.golems (${written}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0)
         ON CONFLICT DO NOTHING RETURNING 1`,
        [...valuesOf(golem), clock.now()],
      )
      return rows.length > 0
    },

    async find(id) {
      const [row] = await rowsOf(id)
      return row && parseRow(golemRow, row)
    },

    async save(golem) {
      const [row] = await query(
        `UPDATE bardo.golems SET (owner, name, custody, status, phase, strategy, strategy_hash, onboarding, next_tick, version)
           = ($2, $3, $4, $5, $6, $7, $8, $9, $10, version + 1)
         WHERE id = $1 AND version = $11 AND (custody IS NULL OR custody = $4) RETURNING ${columns}`,
        [...valuesOf(golem), golem.version],
      )
      if (row) return parseRow(golemRow, row)
      const [stored] = await query('SELECT custody FROM bardo.golems WHERE id = $1', [golem.id.toLowerCase()])
      const chosen = stored?.['custody'] ?? golem.custody
      if (chosen !== golem.custody) throw custodyFixed(`${chosen}`, golem.custody)
      return undefined
    },

    async setPaused(id, at) {
      const rows = await query(
        `UPDATE bardo.golems SET paused_at = $2::bigint, version = version + 1
         WHERE id = $1 AND (paused_at IS NULL) <> ($2::bigint IS NULL) RETURNING 1`,
        [id.toLowerCase(), at ?? null],
      )
      return rows.length > 0
    },

    async list({ owner, name, after = '0x', limit = 100 } = {}) {
      const rows = await query(
        `SELECT ${columns} FROM bardo.golems
         WHERE id > $1 AND ($3::text IS NULL OR owner = $3) AND ($4::text IS NULL OR name = $4) ORDER BY id LIMIT $2`,
        [after.toLowerCase(), limit, owner?.toLowerCase() ?? null, name ?? null],
      )
      return rows.map((row) => parseRow(golemRow, row))
    },

    async overdue(before, { after, limit = 100 } = {}) {
      const rows = await query(
        `SELECT ${columns} FROM bardo.golems
         WHERE next_tick < $1 ${after ? 'AND (next_tick, id) > ($3::bigint, $4::text)' : ''}
         ORDER BY next_tick, id LIMIT $2`,
        [before, limit, ...(after ? [after.nextTick ?? 0, after.id.toLowerCase()] : [])],
      )
      return rows.map((row) => parseRow(golemRow, row))
    },
  }
}

function custodyFixed(chosen: string, asked: string | undefined): BardoError {
  return new BardoError('A Golem’s custody mode cannot be changed.', {
    code: 'STEP_OUT_OF_ORDER',
    details: [`chosen: ${chosen}`, `requested: ${asked}`],
    remedy: 'Summon another Golem with the other custody mode.',
  })
}

function valuesOf(golem: NewGolem): readonly unknown[] {
  const { id, owner, name, custody, status, phase, strategy, onboarding, nextTick } = golem
  const choices = [custody ?? null, status, phase, strategy?.text ?? null, strategy?.hash ?? null]
  return [id.toLowerCase(), owner.toLowerCase(), name, ...choices, encodeJson(onboarding), nextTick ?? null]
}
