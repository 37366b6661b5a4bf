import type { Hash } from 'viem'
import { z } from 'zod'
import { document, integer, optional, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { rowsByGolem } from '../database/rowsByGolem.ts'
import { encodeJson, type Json } from '../json/json.ts'

/** A stored Golem state. The runtime defines the content of state and death. */
export type Life = {
  readonly state: unknown
  readonly version: number
  /** Undefined until the Golem starts to die. */
  readonly death: unknown
  /** A text that changes whenever the Golem's strategy, active delegation or active key changes. */
  readonly bonds: string
  /** When the owner paused the Golem, in milliseconds; undefined while it may act. */
  readonly pausedAt: number | undefined
}

/** The states of all Golems. Each write is one statement, conditional on the previous version. */
export type GolemStates = {
  /** False if the Golem already has a state. */
  begin(golem: Hash, state: Json): Promise<boolean>
  find(golem: Hash): Promise<Life | undefined>
  /** The bonds alone, without reading the state. */
  findBonds(golem: Hash): Promise<string | undefined>
  /** Writes state `version`. False if the stored version is not the previous one, or the Golem is dying. */
  saveState(golem: Hash, version: number, state: Json): Promise<boolean>
  /** Writes death `version`; 0 starts it. False if the stored version is not the previous one. */
  saveDeath(golem: Hash, version: number, death: Json): Promise<boolean>
}

const lifeRow = z
  .object({
    state: document,
    version: integer,
    death: optional(document),
    bonds: z.string(),
    paused_at: optional(integer),
  })
  .transform(({ paused_at: pausedAt, ...row }): Life => ({ ...row, death: row.death, pausedAt }))

const bondsRow = z.object({ bonds: z.string() })

const bonds = `concat_ws(' ', strategy_hash,
  (SELECT hash FROM bardo.delegations WHERE golem = id AND state = 'active' ORDER BY stored_at DESC, hash DESC LIMIT 1),
  (SELECT public_key FROM bardo.session_keys WHERE golem = id AND status = 'active'
   ORDER BY created_at DESC, public_key DESC LIMIT 1)) AS bonds`

/** The Golem states of a database. */
export function createGolemStates(query: Query): GolemStates {
  const rowsOf = rowsByGolem(
    query,
    `SELECT golem, lives.state, lives.version, death, paused_at, ${bonds}
     FROM bardo.lives JOIN bardo.golems ON id = golem WHERE golem = ANY($1)`,
  )

  const bondsOf = rowsByGolem(query, `SELECT id AS golem, ${bonds} FROM bardo.golems WHERE id = ANY($1)`)

  return {
    async begin(golem, state) {
      const rows = await query(
        'INSERT INTO bardo.lives (golem, state, version) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING RETURNING 1',
        [golem.toLowerCase(), encodeJson(state)],
      )
      return rows.length > 0
    },

    async find(golem) {
      const [row] = await rowsOf(golem)
      return row && parseRow(lifeRow, row)
    },

    async findBonds(golem) {
      const [row] = await bondsOf(golem)
      return row && parseRow(bondsRow, row).bonds
    },

    async saveState(golem, version, state) {
      const rows = await query(
        `UPDATE bardo.lives SET state = $3, version = $2
         WHERE golem = $1 AND version = $2 - 1 AND death IS NULL RETURNING 1`,
        [golem.toLowerCase(), version, encodeJson(state)],
      )
      return rows.length > 0
    },

    async saveDeath(golem, version, death) {
      const rows = await query(
        `UPDATE bardo.lives SET death = $3, death_version = $2
         WHERE golem = $1 AND COALESCE(death_version, -1) = $2 - 1 RETURNING 1`,
        [golem.toLowerCase(), version, encodeJson(death)],
      )
      return rows.length > 0
    },
  }
}
