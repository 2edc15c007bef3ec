-- What was changed and has to be told: written with the change, handed over by the relay of @laurel/outbox.
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
--> statement-breakpoint
CREATE INDEX outbox_written ON outbox (written_at, id);
--> statement-breakpoint
CREATE INDEX outbox_waiting ON outbox (id) WHERE done_at IS NULL;
--> statement-breakpoint
CREATE INDEX outbox_waiting_of_lane ON outbox (lane, id) WHERE done_at IS NULL;
--> statement-breakpoint
CREATE INDEX outbox_refused ON outbox (retry_at) WHERE retry_at IS NOT NULL;
--> statement-breakpoint
-- Writes an event in the caller's transaction. A lane's writers take turns until they commit, so its ids are in the
-- order in which they come to be seen: none shows up behind one that was handed over before. The key is the turn's own
-- (1869968482: "outb"): who writes never waits for who delivers. To be called last, for the turn is held to the end.
CREATE FUNCTION outbox_write(lane text, event json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1869968482, hashtext(lane));
  INSERT INTO outbox (lane, event, written_at) VALUES (outbox_write.lane, outbox_write.event, clock_timestamp());
END $$;
