import type { Migration } from './migration.ts'

/** When the owner paused a Golem, in milliseconds; null while it may act. */
export const pausedGolems: Migration = {
  version: 6,
  name: 'paused golems',
  sql: 'ALTER TABLE bardo.golems ADD COLUMN paused_at bigint;\n',
}
