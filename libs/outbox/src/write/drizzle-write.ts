import { type SQL, sql } from 'drizzle-orm';

/** A transaction of drizzle, on PostgreSQL. */
export interface DrizzleTransaction {
  execute(query: SQL): PromiseLike<unknown>;
}

/**
 * Writes an event in a transaction that is open: it is committed with the change that it tells, or not at all. To be
 * called last, as the other writers of the lane wait until the transaction ends. One round trip.
 * @param lane whose events are handed over one after the other: a user's id.
 * @param event becomes JSON.
 */
export async function writeEvent(transaction: DrizzleTransaction, lane: string, event: unknown): Promise<void> {
  await transaction.execute(sql`SELECT outbox_write(${lane}, ${JSON.stringify(event)}::json)`);
}
