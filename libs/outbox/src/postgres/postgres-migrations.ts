import type { OutboxMigration } from '../outbox-store';

/**
 * The outbox's table and functions, for the migrations of the app: run each `up` once, in this order, in a migration of
 * your own. A later version may add steps at the end; existing steps never change.
 */
export const outboxMigrations: readonly OutboxMigration[] = [
  {
    name: 'laurel-outbox-1',
    up: `-- What was changed and has to be told: written with the change, handed over by the relay of @laurel/outbox.
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Whose events are handed over one after the other: a user.
  lane text NOT NULL,
  -- json, not jsonb: that one has no NUL.
  event json NOT NULL,
  written_at timestamptz NOT NULL,
  -- When it was acknowledged; null: it waits.
  done_at timestamptz,
  -- How often it was refused, and until when its lane waits for the next attempt.
  attempts int NOT NULL DEFAULT 0,
  retry_at timestamptz
);
CREATE INDEX outbox_written ON outbox (written_at, id);
CREATE INDEX outbox_waiting ON outbox (id) WHERE done_at IS NULL;
CREATE INDEX outbox_refused ON outbox (retry_at) WHERE retry_at IS NOT NULL;
CREATE INDEX outbox_of_lane ON outbox (lane);
CREATE INDEX outbox_of_owner ON outbox ((event->>'ownerId')) WHERE event->>'ownerId' IS NOT NULL;
CREATE INDEX outbox_of_user_subject ON outbox ((event->>'subject')) WHERE event->>'subject' LIKE 'user:%';

-- Writes an event in the caller's transaction. A lane's writers take turns until they commit (1869968482: "outb"), so
-- its ids are in the order in which they come to be seen. To be called last, for the turn is held to the end.
CREATE FUNCTION outbox_write(lane text, event json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1869968482, hashtext(lane));
  INSERT INTO outbox (lane, event, written_at) VALUES (outbox_write.lane, outbox_write.event, clock_timestamp());
END $$;

-- Forgets a lane and what was done to its user, and takes their name as an owner off the events of others; gives how
-- many events there were of all three. Waits for what is being handed over or replayed, and keeps it off until the
-- caller's transaction ends (1684829810, "dlvr": those who hand over share it). To be called last.
CREATE FUNCTION outbox_forget(forgotten text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  own bigint;
  suffered bigint;
  named bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(1684829810, 0);
  DELETE FROM outbox WHERE lane = forgotten;
  GET DIAGNOSTICS own = ROW_COUNT;
  DELETE FROM outbox WHERE event->>'subject' LIKE 'user:%' AND event->>'subject' = 'user:' || forgotten;
  GET DIAGNOSTICS suffered = ROW_COUNT;
  UPDATE outbox SET event = (event::jsonb - 'ownerId')::json WHERE event->>'ownerId' = forgotten;
  GET DIAGNOSTICS named = ROW_COUNT;
  RETURN own + suffered + named;
END $$;

-- One row, which tells this database from every other.
CREATE TABLE outbox_database (id uuid PRIMARY KEY DEFAULT gen_random_uuid());
INSERT INTO outbox_database DEFAULT VALUES;
`,
    down: `DROP TABLE outbox_database;
DROP FUNCTION outbox_forget(text);
DROP FUNCTION outbox_write(text, json);
DROP TABLE outbox;
`,
  },
];
