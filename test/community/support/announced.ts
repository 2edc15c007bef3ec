import type { Pool } from 'pg';
import type { Person } from './person';

/** An event as the app wrote it. */
export interface Announced {
  readonly userId: string;
  readonly action: string;
  readonly subject: string;
  readonly ownerId?: string;
  readonly partitions?: Readonly<Record<string, string>>;
  readonly occurredAt: string;
  readonly sequence: number;
  readonly grantedAt?: string;
  readonly revoke?: boolean;
}

/** What the app announced of a person's doings of one kind, in the order in which it was committed. */
export async function announced(database: Pool, { id }: Person, action: string): Promise<Announced[]> {
  const { rows } = await database.query<{ event: Announced }>(
    `SELECT event FROM outbox WHERE lane = $1 AND event->>'action' = $2 ORDER BY id`,
    [id, action],
  );
  return rows.map(({ event }) => event);
}
