import type { Rotation, RotationPorts } from '@bardo/core'
import type { Hash } from 'viem'
import { z } from 'zod'
import { document, hex, parseRow } from '../database/columns.ts'
import type { Query } from '../database/database.ts'
import { rowsByGolem } from '../database/rowsByGolem.ts'
import { encodeJson } from '../json/json.ts'

/** Current and past rotations: the storage that `runRotation` needs. */
export type Rotations = Pick<RotationPorts, 'load' | 'save'> & {
  /** Starts a rotation. False if it exists, or if the Golem has another open one. */
  begin(golem: Hash, rotation: Rotation): Promise<boolean>
  /** The Golem's rotation that has not ended. */
  underWay(golem: Hash): Promise<Rotation | undefined>
}

const rotation = z
  .object({
    id: z.string(),
    kind: z.enum(['session-account', 'direct', 'suspected']),
    reason: z.enum(['operations', 'age', 'budget-floor', 'suspected', 'lost']),
    oldKey: hex,
    newKey: hex.optional(),
    stepsDone: z.int(),
    status: z.enum(['open', 'undoing', 'done', 'failed']),
    refusal: z.string().optional(),
    supersedes: z.string().optional(),
    version: z.int(),
  })
  .transform(
    ({ newKey, refusal, supersedes, ...rest }): Rotation => ({
      ...rest,
      newKey,
      refusal,
      ...(supersedes !== undefined && { supersedes }),
    }),
  )

const rotationRow = z.object({ rotation: document.pipe(rotation) })

/** The rotations of a database. */
export function createRotations(query: Query): Rotations {
  const rowsUnderWay = rowsByGolem(
    query,
    "SELECT golem, rotation FROM bardo.rotations WHERE golem = ANY($1) AND status IN ('open', 'undoing')",
  )

  return {
    async begin(golem, rotation) {
      const rows = await query(
        `INSERT INTO bardo.rotations (id, golem, rotation, status, version) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING RETURNING 1`,
        [rotation.id, golem.toLowerCase(), encodeJson(rotation), rotation.status, rotation.version],
      )
      return rows.length > 0
    },

    async load(id) {
      const [row] = await query('SELECT rotation FROM bardo.rotations WHERE id = $1', [id])
      return row && parseRow(rotationRow, row).rotation
    },

    async save(rotation) {
      const { id, status, version } = rotation
      const rows = await query(
        `UPDATE bardo.rotations SET rotation = $2, status = $3, version = $4
         WHERE id = $1 AND version = $4 - 1 RETURNING 1`,
        [id, encodeJson(rotation), status, version],
      )
      return rows.length > 0
    },

    async underWay(golem) {
      const [row] = await rowsUnderWay(golem)
      return row && parseRow(rotationRow, row).rotation
    },
  }
}
