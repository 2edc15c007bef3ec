-- For erasing a user: what others did to him himself names him as the subject, and goes as well.
CREATE INDEX outbox_of_user_subject ON outbox ((event->>'subject')) WHERE event->>'subject' LIKE 'user:%';
--> statement-breakpoint
-- Forgets a lane and what was done to its user, whether it waits or was handed over, and takes his name as their owner off
-- the events of others; gives how many events there were of all three. Waits for whatever is being handed over or replayed,
-- and keeps it off until the caller's transaction ends (1684829810, "dlvr": who hands over shares it), so that nothing that
-- names him is recorded after it: to be called last.
CREATE OR REPLACE FUNCTION outbox_forget(forgotten text) RETURNS bigint LANGUAGE plpgsql AS $$
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
