-- Articles that were handed in to be reviewed. Those of the version before, which knows no review, have none. An erasure takes
-- them with their article, also one by the version before.
CREATE TABLE submissions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  article_id bigint NOT NULL REFERENCES articles ON DELETE CASCADE,
  submitted_at timestamptz(3) NOT NULL,
  -- Null: it waits.
  decision text CHECK (decision IN ('approved', 'refused')),
  decided_at timestamptz(3),
  -- Why it was refused.
  reason text,
  CHECK ((decision IS NULL) = (decided_at IS NULL)),
  CHECK ((reason IS NOT NULL) = (decision IS NOT DISTINCT FROM 'refused'))
);
--> statement-breakpoint
CREATE INDEX submissions_of_article ON submissions (article_id, id DESC);
--> statement-breakpoint
-- At most one of an article waits.
CREATE UNIQUE INDEX submissions_waiting_of_article ON submissions (article_id) WHERE decision IS NULL;
--> statement-breakpoint
CREATE INDEX submissions_waiting ON submissions (submitted_at, id) WHERE decision IS NULL;
