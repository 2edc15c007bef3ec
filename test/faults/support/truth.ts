import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { testZone } from '../../support/midday-zone';

/**
 * The standing activities and their moments by the database alone: 10 points for an article, 2 for a praise or a
 * collection of another user's, 2 for a follow, 3 for each article commented on, on each day.
 */
export const earned = `
  SELECT author_id AS id, 10 AS points, published_at AS at, a.category
    FROM articles a WHERE published_at IS NOT NULL
  UNION ALL SELECT r.user_id, 2, r.created_at, a.category
    FROM reactions r JOIN articles a ON a.id = r.article_id WHERE a.author_id <> r.user_id
  UNION ALL SELECT follower_id, 2, created_at, NULL FROM follows
  UNION ALL SELECT c.author_id, 3, min(c.created_at), min(a.category)
    FROM comments c JOIN articles a ON a.id = c.article_id
    GROUP BY c.author_id, c.article_id, date_trunc('day', c.created_at AT TIME ZONE '${testZone}')`;

/** What everyone should have by the database alone. */
export async function pointsInDatabase(database: Pool): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.query<{ id: string; points: number }>(
    `SELECT id, sum(points)::int AS points FROM (${earned}) earned GROUP BY id`,
  );
  return new Map(rows.map(({ id, points }) => [id, points]));
}

/** What everyone has on a board, over HTTP: by default on that of all time. */
export async function pointsOnBoard(url: string, board = 'all', asked = ''): Promise<ReadonlyMap<string, number>> {
  const points = new Map<string, number>();
  let cursor: string | null = null;
  do {
    const page: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const body = await readWhole<{
      entries: { userId: string; score: number }[];
      next: string | null;
    }>(`${url}/ranks/${board}?limit=100${asked}${page}`);
    for (const { userId, score } of body.entries) points.set(userId, score);
    cursor = body.next;
  } while (cursor !== null);
  return points;
}

/** A page, asked for again where the app is too busy for it: 503 with Retry-After. */
export async function readWhole<Body>(url: string): Promise<Body> {
  let answer = await fetch(url);
  for (let tries = 0; answer.status === 503 && answer.headers.has('retry-after') && tries < 300; tries += 1) {
    await delay(200);
    answer = await fetch(url);
  }
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Body;
}

/** Events that are not recorded yet. */
export async function waitingIn(database: Pool): Promise<number> {
  const { rows } = await database.query<{ waiting: number }>(
    'SELECT count(*)::int AS waiting FROM outbox WHERE done_at IS NULL',
  );
  return rows[0]?.waiting ?? 0;
}
