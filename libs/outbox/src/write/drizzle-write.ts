import { type SQL, sql } from 'drizzle-orm';

/**
 * A transaction of drizzle, on PostgreSQL. Its `execute` takes the `SQL` of drizzle's copy for `import` or of that for
 * `require`, which are two types to TypeScript and the same to drizzle.
 */
export interface DrizzleTransaction {
  execute(query: never): PromiseLike<unknown>;
}

/**
 * Writes an event in an open transaction: it is committed with the change, or not at all. Call it last: other writers
 * of the lane wait until the transaction ends. One round trip.
 * @param lane its events are delivered one after the other: use the user's id.
 * @param event becomes JSON.
 */
export async function writeEvent(transaction: DrizzleTransaction, lane: string, event: unknown): Promise<void> {
  const given: { execute(query: SQL): PromiseLike<unknown> } = transaction;
  await given.execute(sql`SELECT outbox_write(${lane}, ${JSON.stringify(event)}::json)`);
}
