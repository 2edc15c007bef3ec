/** A step of the archive's tables, as statements without parameters. */
export interface ArchiveMigration {
  /** Stays the same for ever. */
  readonly name: string;
  readonly up: string;
}

/**
 * The tables and functions of the archive: the app runs each `up` once, in this order, each in a transaction of its
 * own, so that no step holds the locks of another. A later version may add steps at the end; existing steps never
 * change.
 */
export const archiveMigrations: readonly ArchiveMigration[] = [
  {
    name: 'laurel-archive-1',
    up: `-- Final standings of settled periods. A row without settled_at is a draft, which nobody sees.
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
  touched_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  titled boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX settled_periods_key ON settled_periods (leaderboard, period) WHERE settled_at_ms IS NOT NULL;
CREATE INDEX settled_periods_by_start ON settled_periods (leaderboard, start_ms DESC) WHERE settled_at_ms IS NOT NULL;
CREATE INDEX settled_periods_drafts ON settled_periods (touched_at) WHERE settled_at_ms IS NULL;

-- Settled entries in partitions of one leaderboard and the month in which its periods end, so that a month that is no
-- longer kept is dropped as a table. The id of a period names its partition: its upper 30 bits are a number of the
-- leaderboard (16) and of the month (14), the lower 33 come from the sequence. A read by id opens one partition. User
-- ids are any text, a NUL included: bytes. convert_from(user_id, 'UTF8') shows them.
CREATE TABLE settled_entries (
  settled_id bigint NOT NULL,
  place bigint NOT NULL,
  competition bigint NOT NULL,
  dense bigint NOT NULL,
  user_id bytea NOT NULL,
  score double precision NOT NULL,
  reached_at_ms bigint,
  is_hidden boolean NOT NULL DEFAULT false
) PARTITION BY RANGE (settled_id);

-- Users who do not show in final standings. Nobody's place changes by it: reads leave out what is hidden.
CREATE TABLE hidden_users (user_id bytea PRIMARY KEY);

-- Places whose users were erased.
CREATE TABLE settled_gaps (
  settled_id bigint NOT NULL,
  place bigint NOT NULL,
  competition bigint NOT NULL,
  dense bigint NOT NULL,
  PRIMARY KEY (settled_id, place)
);

-- Titles with which users were settled. They name a place and no user: an erased user leaves nothing here.
CREATE TABLE settled_titles (
  settled_id bigint NOT NULL REFERENCES settled_periods ON DELETE CASCADE,
  place bigint NOT NULL,
  title json NOT NULL,
  PRIMARY KEY (settled_id, place)
);

-- What the partition of this number is called: settled_entries_2026_11_7f3a.
CREATE FUNCTION settled_part_name(part bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format('settled_entries_%s_%s_%s', 1970 + ((part & 16383) - 1) / 12,
    lpad((((part & 16383) - 1) % 12 + 1)::text, 2, '0'), lpad(to_hex(part >> 14), 4, '0'))
$$;

-- Begins a draft and returns its id; makes the partition of its leaderboard and month where there is none.
-- Attaching it keeps no read or write waiting. Users' entries are found by (settled_id, user_id): a period is
-- written into one stretch of it.
CREATE FUNCTION settled_begin(board text, period_key text, end_at_ms bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  hash bytea := sha256(convert_to(split_part(board, '/', 1), 'UTF8'));
  last_moment timestamp := to_timestamp((end_at_ms - 1) / 1000.0) AT TIME ZONE 'UTC';
  month bigint := (extract(year FROM last_moment)::int - 1970) * 12 + extract(month FROM last_moment)::int;
  part bigint := (((get_byte(hash, 0) << 8) + get_byte(hash, 1))::bigint << 14) + least(greatest(month, 1), 16383);
  name text := settled_part_name(part);
  draft bigint := (part << 33) + nextval(pg_get_serial_sequence('settled_periods', 'id')) % (1::bigint << 33);
BEGIN
  -- settled_drop takes no partition from under a draft that begins.
  PERFORM pg_advisory_xact_lock_shared(528737);
  IF NOT EXISTS (SELECT FROM pg_class WHERE relname = name AND relnamespace = current_schema()::regnamespace) THEN
    PERFORM pg_advisory_xact_lock(528738);
    -- As a query, which sees what was committed while it waited; a name's own look-up may not.
    IF NOT EXISTS (SELECT FROM pg_class WHERE relname = name AND relnamespace = current_schema()::regnamespace) THEN
      EXECUTE format('CREATE TABLE %I (LIKE settled_entries INCLUDING DEFAULTS, PRIMARY KEY (settled_id, place))', name);
      EXECUTE format('CREATE UNIQUE INDEX ON %I (settled_id, user_id)', name);
      EXECUTE format('CREATE INDEX ON %I (settled_id, place) WHERE is_hidden', name);
      EXECUTE format('COMMENT ON TABLE %I IS %L', name, 'settled periods of ' || split_part(board, '/', 1));
      EXECUTE format('ALTER TABLE settled_entries ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
        name, part << 33, (part + 1) << 33);
    END IF;
  END IF;
  INSERT INTO settled_periods (id, leaderboard, period, start_ms, end_ms, total, checksum, tie_rule, rules_version)
    OVERRIDING SYSTEM VALUE VALUES (draft, board, period_key, 0, 0, 0, '', '', 0);
  RETURN draft;
END $$;

-- The settled periods that are no longer kept, of leaderboards that are kept for so long after a period's end.
-- A partition goes as a whole, once all of its periods may.
CREATE FUNCTION settled_expired(boards text[], kept_ms bigint[], now_ms bigint)
RETURNS TABLE (part bigint, id bigint, leaderboard text, period text, total bigint) LANGUAGE sql STABLE AS $$
  SELECT part, id, leaderboard, period, total
  FROM (
    SELECT *, bool_and(is_expired) OVER (PARTITION BY part) AS goes
    FROM (
      SELECT p.id >> 33 AS part, p.id, p.leaderboard, p.period, p.total, p.end_ms,
        p.settled_at_ms IS NOT NULL AND coalesce(p.end_ms + kept.ms <= now_ms, false) AS is_expired
      FROM settled_periods p LEFT JOIN unnest(boards, kept_ms) AS kept (board, ms) ON kept.board = split_part(p.leaderboard, '/', 1)
    ) AS periods
  ) AS parts
  WHERE is_expired AND goes
  ORDER BY leaderboard, end_ms
$$;

-- Drops a partition with its periods, all at one moment; false, and drops nothing, where it has others than
-- these by now.
CREATE FUNCTION settled_drop(part bigint, ids bigint[]) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(528737);
  IF EXISTS (SELECT FROM settled_periods WHERE id >= part << 33 AND id < (part + 1) << 33 AND id <> ALL (ids)) THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE IF EXISTS %I', settled_part_name(part));
  DELETE FROM settled_gaps WHERE settled_id >= part << 33 AND settled_id < (part + 1) << 33;
  DELETE FROM settled_periods WHERE id >= part << 33 AND id < (part + 1) << 33;
  RETURN true;
END $$;

-- Takes a draft that nobody writes any more, and some of its entries; false once nothing of it is left. It is a dead
-- draft meanwhile: where this is cut short, the next settlement goes on with it.
CREATE FUNCTION settled_remove(removed bigint, most integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  last_place bigint;
BEGIN
  UPDATE settled_periods SET settled_at_ms = NULL, touched_at = '-infinity' WHERE id = removed;
  SELECT max(place) INTO last_place FROM settled_entries WHERE settled_id = removed;
  IF last_place IS NOT NULL THEN
    DELETE FROM settled_entries WHERE settled_id = removed AND place > last_place - most;
    RETURN true;
  END IF;
  DELETE FROM settled_gaps WHERE settled_id = removed;
  DELETE FROM settled_periods WHERE id = removed;
  RETURN false;
END $$;
`,
  },
];
