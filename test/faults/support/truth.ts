import type { Client } from 'pg';

/**
 * What everyone should have by the database alone: 10 for an article, 2 for a praise or a collection of another's, 2 for
 * a follow, 3 for each article commented on, on each day.
 */
export async function pointsInDatabase(database: Client): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.query<{ id: string; points: number }>(`
    SELECT id, sum(points)::int AS points FROM (
      SELECT author_id AS id, 10 AS points FROM articles WHERE published_at IS NOT NULL
      UNION ALL SELECT user_id, 2 FROM reactions r JOIN articles a ON a.id = r.article_id WHERE a.author_id <> r.user_id
      UNION ALL SELECT follower_id, 2 FROM follows
      UNION ALL SELECT author_id, 3 FROM (
        SELECT DISTINCT author_id, article_id, date_trunc('day', created_at AT TIME ZONE 'UTC') FROM comments) said
    ) earned GROUP BY id`);
  return new Map(rows.map(({ id, points }) => [id, points]));
}

/** What everyone has on the board of all time, over HTTP. */
export async function pointsOnBoard(url: string): Promise<ReadonlyMap<string, number>> {
  const points = new Map<string, number>();
  let cursor: string | null = null;
  do {
    const page: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await fetch(`${url}/ranks/all?limit=100${page}`);
    if (!answer.ok) throw new Error(`The board answered ${answer.status}.`);
    const body = (await answer.json()) as {
      entries: { userId: string; score: number }[];
      next: string | null;
    };
    for (const { userId, score } of body.entries) points.set(userId, score);
    cursor = body.next;
  } while (cursor !== null);
  return points;
}

/** Events that are not recorded yet. */
export async function waitingIn(database: Client): Promise<number> {
  const { rows } = await database.query<{ waiting: number }>(
    'SELECT count(*)::int AS waiting FROM outbox WHERE done_at IS NULL',
  );
  return rows[0]?.waiting ?? 0;
}
