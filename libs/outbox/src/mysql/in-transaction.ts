import type { MySqlConnection, MySqlPool } from './mysql-pool';

/**
 * Begins what hands events over. It reads what is committed at each statement, not at its first: what another relay
 * delivered before this one had the lane is seen as such. The lock is shared by all who hand over, and `outbox_forget`
 * has it alone.
 */
const beginning = [
  'SET TRANSACTION ISOLATION LEVEL READ COMMITTED',
  'START TRANSACTION',
  `SELECT slot FROM outbox_locks WHERE kind = 'forget' AND slot = 0 LOCK IN SHARE MODE`,
];

/** Runs what hands events over, in one transaction. Three round trips to begin, one to end. */
export async function inTransaction<R>(pool: MySqlPool, work: (connection: MySqlConnection) => Promise<R>): Promise<R> {
  const connection = await pool.getConnection();
  try {
    for (const statement of beginning) await connection.query(statement);
    const result = await work(connection);
    await connection.query('COMMIT');
    connection.release();
    return result;
  } catch (error) {
    const isUndone = await connection.query('ROLLBACK').then(
      () => true,
      () => false,
    );
    // A connection that may be broken is closed, and its locks with it. What the database refuses here, as where it
    // takes no changes any more, it may take on another one.
    if (isUndone && !isOfDatabase(error)) connection.release();
    else connection.destroy();
    throw error;
  }
}

/** Whether the server said it. */
function isOfDatabase(error: unknown): boolean {
  return error instanceof Error && 'sqlState' in error;
}
