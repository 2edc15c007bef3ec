import type { Entry, Ranking } from '@laurel/leaderboard';
import type { Standings } from '../../extensions/standings';

/** A user between his neighbours, by ordinal rank, and by which ranking he is told of them. */
export interface Neighbours {
  readonly window: readonly Entry[];
  readonly ranking: Ranking;
}

/**
 * Who has the next better rank; null for who has the best. By ordinal rank that is who stands directly ahead, equals
 * included; else the nearest of those with other points. Reads nothing where that is a neighbour; behind equals one entry, by
 * dense rank two.
 */
export async function nextAhead(
  standings: Standings,
  entry: Entry,
  { window, ranking }: Neighbours,
): Promise<Entry | null> {
  const place = window.findIndex(({ member }) => member === entry.member);
  const neighbour = place > 0 ? window[place - 1] : undefined;
  if (!neighbour) return null;
  if (ranking === 'ordinal' || neighbour.score !== entry.score) return neighbour;
  const first = ranking === 'competition' ? entry.rank : await competitionRank(standings, entry.member);
  const ahead = first > 1 ? await standings.at(first - 1, { ranking: 'ordinal' }) : null;
  // Who moved between two readings may be an equal by now.
  return ahead?.score === entry.score ? null : ahead;
}

/** Whether others have the user's rank; by ordinal rank nobody has. */
export function isTied(entry: Entry, { window, ranking }: Neighbours): boolean {
  return ranking !== 'ordinal' && window.some(({ member, score }) => member !== entry.member && score === entry.score);
}

async function competitionRank(standings: Standings, userId: string): Promise<number> {
  const [rank] = await standings.ranks([userId], { ranking: 'competition' });
  return rank ?? 1;
}
