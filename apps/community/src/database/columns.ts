import { sql } from 'drizzle-orm';
import { customType, timestamp } from 'drizzle-orm/pg-core';

/** A row's id: a whole number to PostgreSQL, an opaque string to everyone else. */
export const id = customType<{ data: string; driverData: string }>({ dataType: () => 'bigint' });

/** A table's own id, which the database gives. */
export const rowId = () =>
  id('id')
    .primaryKey()
    .default(sql`DEFAULT`);

/** A moment to the millisecond, as `Date` has it; what is finer is cut off, so that order and day stay as they were. */
export const moment = (name: string) => timestamp(name, { precision: 3, withTimezone: true, mode: 'date' });

/** The database's clock now, also within a transaction that began earlier. */
export const databaseNow = sql`date_trunc('milliseconds', clock_timestamp())`;
