import type { Migration } from './migration.ts'

/** A capability stores the action that it was minted for: what was previewed is what is sent. */
export const builtActions: Migration = {
  version: 3,
  name: 'built-actions',
  sql: `
ALTER TABLE bardo.capabilities ADD COLUMN action text;
`,
}
