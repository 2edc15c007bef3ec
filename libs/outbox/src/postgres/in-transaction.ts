import type { ClientBase, Pool } from 'pg';

/** The lock ("dlvr") that is shared by all who hand events over, and that `outbox_forget` has alone. */
const deliveries = 1_684_829_810;

/** Plans use the indexes of waiting events, whatever the statistics say: these are of another moment. */
const followIndexes = 'SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off';

/** Runs what hands events over, in one transaction. One round trip to begin, one to end. */
export async function inTransaction<R>(pool: Pool, work: (client: ClientBase) => Promise<R>): Promise<R> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // The server may end the session while recording is awaited: unheard, that would end the process.
  const hearBreak = (error: Error) => (broken = error);
  client.on('error', hearBreak);
  try {
    // What `outbox_forget` took while the lock was waited for is gone.
    await client.query(
      `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock_shared(${deliveries}, 0); ${followIndexes}`,
    );
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: Error) => (broken = cause));
    // A database that refuses here, as one that became read-only, may accept on another connection.
    if (isOfDatabase(error)) broken ??= error;
    throw error;
  } finally {
    client.off('error', hearBreak);
    // A connection that may be broken is closed, and its locks with it.
    client.release(broken);
  }
}

/** Whether the server said it: `DatabaseError` of the copy of pg that the app has. */
function isOfDatabase(error: unknown): error is Error {
  return error instanceof Error && 'severity' in error;
}
