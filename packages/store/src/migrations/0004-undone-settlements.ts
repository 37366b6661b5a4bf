import type { Migration } from './migration.ts'

/**
 * A journal row keeps the settlement that a reorganisation undid, so that a restarted process emits the new
 * result.
 */
export const undoneSettlements: Migration = {
  version: 4,
  name: 'undone-settlements',
  sql: `
ALTER TABLE bardo.journal ADD COLUMN undone text;
`,
}
