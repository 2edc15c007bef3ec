-- Ledgers that are too old for Redis, compressed; by the digests of its fields a ledger is found. Members are bytes: no
-- collation tells two of them alike.
CREATE TABLE cold_ledgers (
  ledger text NOT NULL,
  member bytea NOT NULL,
  day integer NOT NULL,
  digests integer[] NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (ledger, member, day)
);
--> statement-breakpoint
-- What is deflated is not compressed again.
ALTER TABLE cold_ledgers ALTER COLUMN body SET STORAGE EXTERNAL;
