import { createGathering } from '@bardo/core'
import type { Hash } from 'viem'
import type { Query, Row } from './database.ts'

/** So many Golems are read with one statement. */
const most = 500

/**
 * Reads the rows of one Golem, and those of all who ask at the same moment with the same statement.
 *
 * @param sql - selects the column `golem` among others, for the Golems in `$1`
 */
export function rowsByGolem(query: Query, sql: string): (golem: Hash) => Promise<readonly Row[]> {
  const find = createGathering(
    async (golems: readonly string[]) => {
      const found = Map.groupBy(await query(sql, [golems]), (row) => row['golem'])
      return golems.map((golem) => found.get(golem) ?? [])
    },
    { most },
  )
  return (golem) => find(golem.toLowerCase())
}
