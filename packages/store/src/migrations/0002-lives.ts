import type { Migration } from './migration.ts'

/**
 * The runtime state of a Golem between two ticks, and its death once it has started. A capability stores the
 * tick it was minted in and the intent that consumed it.
 */
export const lives: Migration = {
  version: 2,
  name: 'lives',
  sql: `
CREATE TABLE bardo.lives (
  golem         text COLLATE "C" PRIMARY KEY REFERENCES bardo.golems,
  state         text NOT NULL,
  version       bigint NOT NULL,
  death         text,
  death_version bigint
);

ALTER TABLE bardo.capabilities ADD COLUMN minted_at_tick bigint NOT NULL DEFAULT 0;
ALTER TABLE bardo.capabilities ADD COLUMN consumed_by text;
CREATE INDEX capabilities_by_golem ON bardo.capabilities (golem, minted_at);
`,
}
