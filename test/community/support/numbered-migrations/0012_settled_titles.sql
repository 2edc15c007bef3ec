-- Titles with which users were settled. They name a place and no user: who is erased leaves nothing here. Versions that know of
-- no titles go on beside this one; what they settle is not `titled`.
ALTER TABLE settled_periods ADD COLUMN titled boolean NOT NULL DEFAULT false;
--> statement-breakpoint
CREATE TABLE settled_titles (
  settled_id bigint NOT NULL REFERENCES settled_periods ON DELETE CASCADE,
  place bigint NOT NULL,
  title json NOT NULL,
  PRIMARY KEY (settled_id, place)
);
