import type { OutboxMigration } from '../outbox-store';

/** How many turns there are: lanes whose names give the same share one. */
export const slots = 4_096;

/**
 * The outbox's tables and procedures, for the migrations of an app on MySQL 8.0.21 or MariaDB 10.6 or later: run each
 * `up` once, in this order, in a migration of your own. Each is one statement. A later version may add steps at the
 * end; existing steps never change.
 */
export const outboxMigrations: readonly OutboxMigration[] = [
  {
    name: 'laurel-outbox-mysql-1-events',
    up: `-- What was changed and has to be told: written with the change, handed over by the relay of @laurel/outbox.
CREATE TABLE outbox (
  id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  -- Whose events are handed over one after the other: a user. As bytes, so that no two names are taken for one.
  lane varbinary(1020) NOT NULL,
  -- As it was written.
  event longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  -- All moments are UTC.
  written_at datetime(6) NOT NULL,
  -- When it was acknowledged; null: it waits.
  done_at datetime(6) NULL,
  -- How often it was refused, and until when its lane waits for the next attempt.
  attempts int NOT NULL DEFAULT 0,
  retry_at datetime(6) NULL,
  -- By whom an erasure finds it. A little longer than a lane may be: a name that was cut is nobody's.
  owner_id varbinary(1024) AS (LEFT(JSON_VALUE(event, '$.ownerId'), 256)) VIRTUAL,
  subject varbinary(1044) AS (LEFT(JSON_VALUE(event, '$.subject'), 261)) VIRTUAL,
  KEY outbox_written (written_at, id),
  KEY outbox_waiting (done_at, id),
  KEY outbox_refused (retry_at),
  KEY outbox_of_lane (lane),
  KEY outbox_of_owner (owner_id),
  KEY outbox_of_subject (subject)
) ENGINE = InnoDB
`,
    down: 'DROP TABLE outbox',
  },
  {
    name: 'laurel-outbox-mysql-2-locks',
    up: `-- Rows to lock, which never change: 'write', the turns of those who write; 'lane', of those who hand over;
-- 'forget', shared by those who hand over, and held alone by an erasure.
CREATE TABLE outbox_locks (
  kind varchar(6) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  slot smallint unsigned NOT NULL,
  PRIMARY KEY (kind, slot)
) ENGINE = InnoDB
`,
    down: 'DROP TABLE outbox_locks',
  },
  {
    name: 'laurel-outbox-mysql-3-rows',
    up: `INSERT INTO outbox_locks (kind, slot)
WITH RECURSIVE digit AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM digit WHERE n < 63)
SELECT 'write', a.n * 64 + b.n FROM digit a CROSS JOIN digit b
UNION ALL SELECT 'lane', a.n * 64 + b.n FROM digit a CROSS JOIN digit b
UNION ALL SELECT 'forget', 0
`,
    down: 'DELETE FROM outbox_locks',
  },
  {
    name: 'laurel-outbox-mysql-4-write',
    up: `-- Writes an event in the caller's transaction. A lane's writers take turns until they commit, so its ids are in the
-- order in which they come to be seen. To be called last, for the turn is held to the end.
CREATE PROCEDURE outbox_write(IN of_lane varchar(255) CHARACTER SET utf8mb4, IN told longtext CHARACTER SET utf8mb4)
MODIFIES SQL DATA SQL SECURITY INVOKER
BEGIN
  DECLARE turn int;
  SELECT slot INTO turn FROM outbox_locks
    WHERE kind = 'write' AND slot = CRC32(CAST(of_lane AS BINARY)) % 4096 FOR UPDATE;
  IF turn IS NULL THEN
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'outbox_locks is empty: run the migration laurel-outbox-mysql-3-rows.';
  END IF;
  IF NOT JSON_VALID(told) THEN
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'The event is not valid JSON.';
  END IF;
  INSERT INTO outbox (lane, event, written_at) VALUES (of_lane, told, UTC_TIMESTAMP(6));
END
`,
    down: 'DROP PROCEDURE outbox_write',
  },
  {
    name: 'laurel-outbox-mysql-5-forget',
    up: `-- Forgets a lane and what was done to its user, and takes their name as an owner off the events of others; gives how
-- many events there were of all three. Waits for what is being handed over or replayed, and keeps it off until the
-- caller's transaction ends. To be called last.
CREATE PROCEDURE outbox_forget(IN forgotten varchar(255) CHARACTER SET utf8mb4)
MODIFIES SQL DATA SQL SECURITY INVOKER
BEGIN
  DECLARE turn, own, suffered, named int;
  DECLARE name varbinary(1020) DEFAULT CAST(forgotten AS BINARY);
  SELECT slot INTO turn FROM outbox_locks WHERE kind = 'forget' AND slot = 0 FOR UPDATE;
  DELETE FROM outbox WHERE lane = name;
  SET own = ROW_COUNT();
  DELETE FROM outbox WHERE subject = CONCAT('user:', name);
  SET suffered = ROW_COUNT();
  UPDATE outbox SET event = JSON_REMOVE(event, '$.ownerId') WHERE owner_id = name;
  SET named = ROW_COUNT();
  SELECT own + suffered + named AS forgotten;
END
`,
    down: 'DROP PROCEDURE outbox_forget',
  },
];
