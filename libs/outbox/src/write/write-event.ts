/** A transaction that sends SQL with `$1`: a client of pg, an `EntityManager` or a `QueryRunner` of TypeORM. */
export interface QueryTransaction {
  query(text: string, values: string[]): PromiseLike<unknown>;
}

/** A transaction of Knex. */
export interface KnexTransaction {
  raw(text: string, bindings: string[]): PromiseLike<unknown>;
}

/**
 * Writes an event in an open transaction: it is committed with the change, or not at all. Call it last: other writers
 * of the lane wait until the transaction ends. One round trip.
 * @param transaction of pg, of TypeORM or of Knex; for one of drizzle import this from `@laurel/outbox/drizzle`.
 * @param lane its events are delivered one after the other: use the user's id.
 * @param event becomes JSON.
 */
export async function writeEvent(
  transaction: QueryTransaction | KnexTransaction,
  lane: string,
  event: unknown,
): Promise<void> {
  const values = [lane, JSON.stringify(event)];
  if ('query' in transaction && typeof transaction.query === 'function') {
    await transaction.query('SELECT outbox_write($1, $2::json)', values);
  } else {
    await (transaction as KnexTransaction).raw('SELECT outbox_write(?, ?::json)', values);
  }
}
