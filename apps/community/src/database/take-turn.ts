import { sql } from 'drizzle-orm';
import type { Transaction } from './database';

/** When a change happened, as the database has it: the authority for all hosts of the app. */
export interface Moment {
  readonly occurredAt: Date;
  /** Orders changes of one millisecond. */
  readonly sequence: number;
}

/**
 * Waits for its turn to change what these parts name (`praise`, an article, a user) and gives the moment of the change.
 * Changes of one thing happen one after another, each ending with its transaction: so their moments never stand in
 * another order than the changes, and the points end as the database does, in whichever order the events arrive. One
 * round trip.
 */
export async function takeTurn(transaction: Transaction, ...parts: readonly string[]): Promise<Moment> {
  // The clock is read after the lock is held: the select list is computed for the row that the lock gives.
  const { rows } = await transaction.execute<{ at: string; sequence: string }>(sql`
    WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended(${parts.join(' ')}, 0)))
    SELECT date_trunc('milliseconds', clock_timestamp()) AS at, nextval('change_sequence')::text AS sequence FROM turn`);
  const [row] = rows;
  if (!row) throw new Error('The database gave no moment.');
  return { occurredAt: new Date(row.at), sequence: Number(row.sequence) };
}
