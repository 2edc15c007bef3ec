import type { PoolClient } from 'pg';

/** Any number that no other lock of the database has. */
const lock = 528_736;

/** Until the transaction ends no user is hidden, shown or erased: rows that are written now know the hidden users. */
export async function keepHiddenUsers(client: PoolClient): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock_shared($1)', [lock]);
}

/** Waits until no rows are being written, and lets none be until the transaction ends. */
export async function changeHiddenUsers(client: PoolClient): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [lock]);
}
