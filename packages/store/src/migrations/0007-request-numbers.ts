import type { Migration } from './migration.ts'

/** A short number for each request. It never changes and is never used again: an answer by number cannot hit another request. */
export const requestNumbers: Migration = {
  version: 7,
  name: 'request numbers',
  sql: `
CREATE SEQUENCE bardo.request_numbers;
ALTER TABLE bardo.owner_requests ADD COLUMN number bigint;
UPDATE bardo.owner_requests SET number = numbered.number
FROM (SELECT id, row_number() OVER (ORDER BY filed_at, id) AS number FROM bardo.owner_requests) AS numbered
WHERE owner_requests.id = numbered.id;
SELECT setval('bardo.request_numbers', COALESCE(max(number), 0) + 1, false) FROM bardo.owner_requests;
ALTER TABLE bardo.owner_requests ALTER COLUMN number SET DEFAULT nextval('bardo.request_numbers'), ALTER COLUMN number SET NOT NULL;
CREATE UNIQUE INDEX owner_requests_by_number ON bardo.owner_requests (number);
`,
}
