-- For erasing a user: all of his lane, and what names him as its owner.
DROP INDEX outbox_waiting_of_lane;
--> statement-breakpoint
CREATE INDEX outbox_of_lane ON outbox (lane);
--> statement-breakpoint
CREATE INDEX outbox_of_owner ON outbox ((event->>'ownerId')) WHERE event->>'ownerId' IS NOT NULL;
--> statement-breakpoint
-- Forgets a lane, whether its events wait or were handed over, and takes its name off the events of others; gives how many
-- events there were of either. Waits for what is being handed over of it (1818324581, "lane": the deliverers' key), so that
-- nothing of it is recorded after the caller's transaction.
CREATE FUNCTION outbox_forget(forgotten text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  own bigint;
  named bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(1818324581, hashtext(forgotten));
  DELETE FROM outbox WHERE lane = forgotten;
  GET DIAGNOSTICS own = ROW_COUNT;
  -- In the order in which deliverers lock what they mark as done.
  PERFORM FROM outbox WHERE event->>'ownerId' = forgotten ORDER BY id FOR UPDATE;
  UPDATE outbox SET event = (event::jsonb - 'ownerId')::json WHERE event->>'ownerId' = forgotten;
  GET DIAGNOSTICS named = ROW_COUNT;
  RETURN own + named;
END $$;
