import { createBatcher } from '@bardo/core'
import type { Hash } from 'viem'
import type { Query, Row } from './database.ts'

/** Maximum number of Golems per statement. */
const most = 500

/**
 * Reads the rows of one Golem, together with all other requests of the same moment for the same statement.
 *
 * @param sql - selects the column `golem` among others, for the Golems in `$1`
 */
export function rowsByGolem(query: Query, sql: string): (golem: Hash) => Promise<readonly Row[]> {
  const find = createBatcher(
    async (golems: readonly string[]) => {
      const byGolem = Map.groupBy(await query(sql, [golems]), (row) => row['golem'])
      return golems.map((golem) => byGolem.get(golem) ?? [])
    },
    { most },
  )
  return (golem) => find(golem.toLowerCase())
}
