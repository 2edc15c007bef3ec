-- Final standings of settled periods. A row without settled_at is a draft, which nobody sees.
CREATE TABLE settled_periods (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  leaderboard text NOT NULL,
  period text NOT NULL,
  start_ms bigint NOT NULL,
  end_ms bigint NOT NULL,
  settled_at_ms bigint,
  total bigint NOT NULL,
  checksum text NOT NULL,
  tie_rule text NOT NULL,
  rules_version integer NOT NULL,
  touched_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
--> statement-breakpoint
CREATE UNIQUE INDEX settled_periods_key ON settled_periods (leaderboard, period) WHERE settled_at_ms IS NOT NULL;
--> statement-breakpoint
CREATE INDEX settled_periods_by_start ON settled_periods (leaderboard, start_ms DESC) WHERE settled_at_ms IS NOT NULL;
--> statement-breakpoint
CREATE INDEX settled_periods_drafts ON settled_periods (touched_at) WHERE settled_at_ms IS NULL;
--> statement-breakpoint
-- User ids are any text, a NUL included: bytes. convert_from(user_id, 'UTF8') shows them.
CREATE TABLE settled_entries (
  settled_id bigint NOT NULL,
  place bigint NOT NULL,
  competition bigint NOT NULL,
  dense bigint NOT NULL,
  user_id bytea NOT NULL,
  score double precision NOT NULL,
  reached_at_ms bigint,
  PRIMARY KEY (settled_id, place)
);
--> statement-breakpoint
CREATE UNIQUE INDEX settled_entries_of_user ON settled_entries (user_id, settled_id);
