import type { KnexTransaction, QueryTransaction } from './write-event';

/**
 * Writes an event in an open transaction: it is committed with the change, or not at all. Call it last: other writers
 * of the lane wait until the transaction ends. One round trip.
 * @param transaction of `mysql2/promise`, of TypeORM or of Knex.
 * @param lane its events are delivered one after the other: use the user's id, up to 255 characters.
 * @param event becomes JSON.
 */
export async function writeEvent(
  transaction: QueryTransaction | KnexTransaction,
  lane: string,
  event: unknown,
): Promise<void> {
  const [text, values] = ['CALL outbox_write(?, ?)', [lane, JSON.stringify(event)]] as const;
  if ('query' in transaction && typeof transaction.query === 'function') await transaction.query(text, [...values]);
  else await (transaction as KnexTransaction).raw(text, [...values]);
}
