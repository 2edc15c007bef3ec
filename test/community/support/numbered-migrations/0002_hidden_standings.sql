-- Users who do not show in final standings. Nobody's place changes by it: reads leave out what is hidden.
CREATE TABLE hidden_users (user_id bytea PRIMARY KEY);
--> statement-breakpoint
ALTER TABLE settled_entries ADD COLUMN is_hidden boolean NOT NULL DEFAULT false;
--> statement-breakpoint
CREATE INDEX settled_entries_hidden ON settled_entries (settled_id, place) WHERE is_hidden;
--> statement-breakpoint
-- Places whose users were erased.
CREATE TABLE settled_gaps (
  settled_id bigint NOT NULL,
  place bigint NOT NULL,
  competition bigint NOT NULL,
  dense bigint NOT NULL,
  PRIMARY KEY (settled_id, place)
);
