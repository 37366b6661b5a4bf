import type { Migration } from './migration.ts'

/**
 * Bytes are lower-case hex, amounts `numeric`, times milliseconds since 1970. Documents are the text of
 * `encodeJson`: `body::jsonb` reads one in psql. Ids and keys are sorted by their bytes, in every database
 * alike.
 */
export const firstSchema: Migration = {
  version: 1,
  name: 'first schema',
  sql: `
CREATE TABLE bardo.golems (
  id            text COLLATE "C" PRIMARY KEY CHECK (id ~ '^0x[0-9a-f]{64}$'),
  owner         text NOT NULL,
  name          text NOT NULL,
  custody       text,
  status        text NOT NULL,
  phase         text NOT NULL,
  strategy      text,
  strategy_hash text,
  onboarding    text NOT NULL,
  next_tick     bigint,
  created_at    bigint NOT NULL,
  version       bigint NOT NULL
);
CREATE INDEX golems_by_owner ON bardo.golems (owner, id);
CREATE INDEX golems_by_next_tick ON bardo.golems (next_tick) WHERE next_tick IS NOT NULL;

CREATE TABLE bardo.delegations (
  hash          text COLLATE "C" PRIMARY KEY,
  golem         text COLLATE "C" NOT NULL REFERENCES bardo.golems,
  delegation    text NOT NULL,
  context       text NOT NULL,
  state         text NOT NULL,
  superseded_by text,
  stored_at     bigint NOT NULL
);
CREATE INDEX delegations_by_golem ON bardo.delegations (golem, stored_at);

CREATE TABLE bardo.permissions (
  id         text COLLATE "C" PRIMARY KEY,
  golem      text COLLATE "C" NOT NULL REFERENCES bardo.golems,
  grant_body text NOT NULL,
  state      text NOT NULL,
  stored_at  bigint NOT NULL
);
CREATE INDEX permissions_by_golem ON bardo.permissions (golem, stored_at);

CREATE TABLE bardo.session_keys (
  public_key   text COLLATE "C" PRIMARY KEY,
  golem        text COLLATE "C" NOT NULL REFERENCES bardo.golems,
  curve        text NOT NULL,
  address      text NOT NULL,
  sealed       text,
  status       text NOT NULL,
  operations   bigint NOT NULL DEFAULT 0,
  value_cents  numeric(78, 0) NOT NULL DEFAULT 0,
  created_at   bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX session_keys_by_golem ON bardo.session_keys (golem, created_at);

CREATE TABLE bardo.journal (
  id         text COLLATE "C" PRIMARY KEY,
  chain_id   bigint NOT NULL,
  sender     text NOT NULL,
  intent     text NOT NULL,
  added_at   bigint NOT NULL,
  nonce      bigint,
  attempts   text[] NOT NULL DEFAULT '{}',
  closing    boolean NOT NULL DEFAULT false,
  mined      text,
  settlement text
);
CREATE UNIQUE INDEX journal_nonces ON bardo.journal (chain_id, sender, nonce) WHERE nonce IS NOT NULL;
CREATE INDEX journal_open ON bardo.journal (chain_id, sender, nonce, added_at) WHERE settlement IS NULL;

CREATE TABLE bardo.rotations (
  id       text COLLATE "C" PRIMARY KEY,
  golem    text COLLATE "C" NOT NULL REFERENCES bardo.golems,
  rotation text NOT NULL,
  status   text NOT NULL,
  version  bigint NOT NULL
);
-- A Golem has one rotation under way at most: two would each hand over to a key of its own.
CREATE UNIQUE INDEX rotations_under_way ON bardo.rotations (golem) WHERE status IN ('open', 'undoing');

CREATE TABLE bardo.session_budgets (
  id      text COLLATE "C" PRIMARY KEY,
  budget  text NOT NULL,
  version bigint NOT NULL
);

CREATE TABLE bardo.capabilities (
  permit_id       text COLLATE "C" PRIMARY KEY,
  golem           text COLLATE "C" NOT NULL REFERENCES bardo.golems,
  action_hash     text NOT NULL,
  policy_hash     text NOT NULL,
  value_limit     numeric(78, 0) NOT NULL,
  expires_at_tick bigint NOT NULL,
  minted_at       bigint NOT NULL,
  consumed_at     bigint
);

CREATE TABLE bardo.owner_requests (
  id         text COLLATE "C" PRIMARY KEY,
  golem      text COLLATE "C" NOT NULL REFERENCES bardo.golems,
  kind       text NOT NULL,
  body       text NOT NULL,
  state      text NOT NULL,
  answer     text,
  filed_at   bigint NOT NULL,
  expires_at bigint,
  ended_at   bigint
);
CREATE INDEX owner_requests_pending ON bardo.owner_requests (golem, filed_at) WHERE state = 'pending';
CREATE INDEX owner_requests_expiring ON bardo.owner_requests (expires_at) WHERE state = 'pending';

CREATE TABLE bardo.idempotency_keys (
  key          text COLLATE "C" PRIMARY KEY,
  request_hash text NOT NULL,
  started_at   bigint NOT NULL,
  result       text
);
CREATE INDEX idempotency_keys_by_start ON bardo.idempotency_keys (started_at);

CREATE TABLE bardo.grimoire (
  golem      text COLLATE "C" NOT NULL REFERENCES bardo.golems,
  key        text COLLATE "C" NOT NULL,
  kind       text NOT NULL,
  source     text,
  body       text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (golem, key)
);
CREATE INDEX grimoire_by_kind ON bardo.grimoire (golem, kind, key);

CREATE TABLE bardo.events (
  sequence bigint PRIMARY KEY,
  golem    text COLLATE "C" NOT NULL,
  number   bigint NOT NULL,
  name     text NOT NULL,
  body     text NOT NULL,
  at       bigint NOT NULL,
  hash     text NOT NULL
);
CREATE INDEX events_by_golem ON bardo.events (golem, sequence);

CREATE TABLE bardo.audit_heads (
  golem    text COLLATE "C" PRIMARY KEY,
  sequence bigint NOT NULL,
  number   bigint NOT NULL,
  hash     text NOT NULL
);

CREATE TABLE bardo.event_counter (id boolean PRIMARY KEY DEFAULT true CHECK (id), last bigint NOT NULL);
INSERT INTO bardo.event_counter (last) VALUES (0);

-- The counter's row is the queue at the door: whoever appends holds it until they commit. So sequences have no gaps,
-- their order is the order of the commits, and a reader who has seen one has seen all before it.
CREATE FUNCTION bardo.append_events(golems text[], names text[], bodies text[], times bigint[]) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  next_sequence bigint;
  head bardo.audit_heads;
BEGIN
  UPDATE bardo.event_counter SET last = last + cardinality(golems)
    RETURNING last - cardinality(golems) INTO next_sequence;
  FOR i IN 1 .. cardinality(golems) LOOP
    IF head.golem IS DISTINCT FROM golems[i] THEN
      SELECT * INTO head FROM bardo.audit_heads WHERE golem = golems[i];
      IF NOT FOUND THEN head := ROW (golems[i], 0, 0, repeat('0', 64)); END IF;
    END IF;
    next_sequence := next_sequence + 1;
    head.sequence := next_sequence;
    head.number := head.number + 1;
    head.hash := encode(sha256(convert_to(concat_ws(E'\\n', 'bardo event 1', head.hash, golems[i], head.number,
      next_sequence, times[i], names[i], bodies[i]), 'UTF8')), 'hex');
    INSERT INTO bardo.events VALUES (next_sequence, golems[i], head.number, names[i], bodies[i], times[i], head.hash);
    IF golems[i + 1] IS DISTINCT FROM golems[i] THEN
      INSERT INTO bardo.audit_heads VALUES (head.*)
        ON CONFLICT (golem) DO UPDATE SET sequence = head.sequence, number = head.number, hash = head.hash;
    END IF;
  END LOOP;
  PERFORM pg_notify('bardo_events', '');
  RETURN next_sequence;
END $$;
`,
}
