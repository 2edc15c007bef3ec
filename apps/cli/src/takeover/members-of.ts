import type { BoardPage, Period } from '@laurel/leaderboard';
import type { LeaderboardBoards, RedisConnection } from '@laurel/activity/internals';

/** How many members are read at once. */
const pageSize = 500;

/** Everybody on a leaderboard, excluded users too, in pages. A round trip for each 500. */
export async function* membersOf(
  connection: RedisConnection,
  boards: LeaderboardBoards,
  period: Period,
): AsyncGenerator<string[]> {
  for (const reader of [boards.reader(period), boards.aside(period)]) {
    for (let cursor: string | null = null; ;) {
      const from: string | null = cursor;
      const page: BoardPage = await connection.read(() => reader.after(from, pageSize));
      if (page.entries.length > 0) yield page.entries.map(({ member }) => member);
      if (page.next === null) break;
      cursor = page.next;
    }
  }
}
