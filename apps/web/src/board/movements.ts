import type { Entry, Standings } from '../ranks/ranks';

/** The points that one user won or lost between two reads of a board. */
export interface Movement {
  readonly userId: string;
  readonly user: Entry['user'];
  readonly points: number;
  readonly rank: number;
  /** Places climbed; below 0: fallen. */
  readonly climbed: number;
}

/** Users whose points changed from one page to the next, the most first; none between two periods. */
export function movementsBetween(before: Standings, after: Standings): Movement[] {
  if (before.period.key !== after.period.key) return [];
  const was = new Map(before.entries.map((entry) => [entry.userId, entry]));
  const isWhole = before.entries.length === before.total;
  return after.entries
    .flatMap(({ userId, user, score, rank }) => {
      const old = was.get(userId);
      // An entry below the last line that was shown may have had any points there.
      if (!old && !isWhole) return [];
      const points = score - (old?.score ?? 0);
      return points === 0 ? [] : [{ userId, user, points, rank, climbed: old ? old.rank - rank : 0 }];
    })
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
}
