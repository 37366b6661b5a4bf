import type { Migration } from './migration.ts'

/**
 * Operations of owners that wait for a signature or a transaction. A row holds what was asked for and the digests of
 * what is to be signed, never bytes that a signer would be given.
 */
export const operations: Migration = {
  version: 5,
  name: 'operations',
  sql: `
CREATE TABLE bardo.operations (
  id          text COLLATE "C" PRIMARY KEY,
  user_id     text COLLATE "C" NOT NULL,
  chain_id    bigint NOT NULL,
  owner       text NOT NULL,
  kind        text NOT NULL,
  input       text NOT NULL,
  digests     text[] NOT NULL,
  answers     text NOT NULL,
  result      text,
  prepared_at bigint NOT NULL,
  expires_at  bigint NOT NULL,
  version     bigint NOT NULL
);
CREATE INDEX operations_by_user ON bardo.operations (user_id, prepared_at);
`,
}
