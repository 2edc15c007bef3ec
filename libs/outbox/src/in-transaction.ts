import { DatabaseError, type Pool } from 'pg';
import type { OutboxQueries } from './queries';

/** The lock ("dlvr") that is shared by all who hand events over, and that `outbox_forget` has alone. */
const deliveries = 1_684_829_810;

/**
 * Runs what hands events over, in one transaction. What is erased is waited for before, and waits until it is over: so
 * nothing that was read here is recorded after its erasure. One round trip to begin, one to end.
 * @param beginning statements to begin with, without parameters.
 * @throws whatever the work does; the database's own errors.
 */
export async function inTransaction<R>(
  pool: Pool,
  beginning: string,
  work: (client: OutboxQueries) => Promise<R>,
): Promise<R> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // The server may end the session while recording is awaited: unheard, that would end the process.
  const hearBreak = (error: Error) => (broken = error);
  client.on('error', hearBreak);
  try {
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock_shared(${deliveries}, 0); ${beginning}`);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: Error) => (broken = cause));
    // What the database refuses here, as where it takes no changes any more, it may take on another connection.
    if (error instanceof DatabaseError) broken ??= error;
    throw error;
  } finally {
    client.off('error', hearBreak);
    // A connection that may be broken is closed, and its locks with it.
    client.release(broken);
  }
}
