import { sql } from 'drizzle-orm';
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

/** A row's id: a whole number to PostgreSQL, an opaque string to everyone else. */
export const id = customType<{ data: string; driverData: string }>({ dataType: () => 'bigint' });

/** A table's own id, which the database gives. */
export const rowId = () =>
  id('id')
    .primaryKey()
    .default(sql`DEFAULT`);

/** A moment to the millisecond, as `Date` has it; what is finer is cut off, so that order and day stay as they were. */
export const moment = (name: string) => timestamp(name, { precision: 3, withTimezone: true, mode: 'date' });

/** Any text, a NUL included, which `text` cannot hold: the bytes of its UTF-8. */
export const anyText = customType<{ data: string; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (text) => Buffer.from(text),
  fromDriver: (bytes) => bytes.toString('utf8'),
});

/** A whole number up to 2^53. */
export const whole = (name: string) => bigint(name, { mode: 'number' });

/** The database's clock now, also within a transaction that began earlier. */
export const databaseNow = sql`date_trunc('milliseconds', clock_timestamp())`;
