import type { Migration } from './migration.ts'

/**
 * The ledger: transactions that are only added, their entries, and running sums by UTC day that a tick reads. The entries
 * of a transaction are inserted by one statement, and those of each asset add up to zero. A journal row knows whether its
 * outcome is in the ledger. Outcomes from before this migration are not posted later.
 */
export const ledger: Migration = {
  version: 8,
  name: 'ledger',
  sql: `
CREATE TABLE bardo.ledger_heads (
  golem     text COLLATE "C" PRIMARY KEY REFERENCES bardo.golems,
  number    bigint NOT NULL,
  -- Of the first allotment, in Unix seconds; the source of the last one; the days whose compute is posted.
  since     bigint,
  allotment text,
  days      bigint NOT NULL DEFAULT 0
);

CREATE TABLE bardo.ledger_transactions (
  golem   text COLLATE "C" NOT NULL REFERENCES bardo.golems,
  number  bigint NOT NULL,
  source  text COLLATE "C" NOT NULL,
  kind    text NOT NULL,
  at      bigint NOT NULL,
  details text NOT NULL,
  hash    text NOT NULL,
  PRIMARY KEY (golem, number)
);
CREATE UNIQUE INDEX ledger_sources ON bardo.ledger_transactions (golem, source);

CREATE TABLE bardo.ledger_entries (
  golem    text COLLATE "C" NOT NULL,
  number   bigint NOT NULL,
  position bigint NOT NULL,
  account  text NOT NULL,
  asset    text NOT NULL,
  amount   numeric(78, 0) NOT NULL,
  micros   numeric(78, 0),
  price    numeric(78, 0),
  block    bigint,
  PRIMARY KEY (golem, number, position)
);

-- Day -1 is all days together.
CREATE TABLE bardo.ledger_sums (
  golem   text COLLATE "C" NOT NULL,
  day     bigint NOT NULL,
  account text COLLATE "C" NOT NULL,
  asset   text COLLATE "C" NOT NULL,
  amount  numeric(78, 0) NOT NULL,
  micros  numeric(78, 0) NOT NULL,
  PRIMARY KEY (golem, day, account, asset)
);

CREATE FUNCTION bardo.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only';
END $$;
CREATE TRIGGER ledger_transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bardo.ledger_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION bardo.refuse_change();
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bardo.ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION bardo.refuse_change();

CREATE FUNCTION bardo.require_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM added GROUP BY golem, number, asset HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'the entries of a ledger transaction do not add up to zero';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entries_balance AFTER INSERT ON bardo.ledger_entries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION bardo.require_balance();

ALTER TABLE bardo.journal ADD COLUMN posted boolean NOT NULL DEFAULT false;
UPDATE bardo.journal SET posted = true WHERE settlement IS NOT NULL;
CREATE INDEX journal_unposted ON bardo.journal (sender, added_at) WHERE settlement IS NOT NULL AND NOT posted;
`,
}
