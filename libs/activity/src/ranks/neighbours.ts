import type { Entry, Ranking } from '@laurel/leaderboard';
import type { Standings } from '../extensions/standings';

/** A user between their neighbours by ordinal rank, and the ranking of the answer. */
export interface Neighbours {
  readonly window: readonly Entry[];
  readonly ranking: Ranking;
}

/**
 * The entry with the next better rank; null for the best rank. By ordinal rank it is the entry directly ahead, by the
 * other rankings the nearest with more points. Reads nothing unless the neighbour has equal points: then one entry, by
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
  // Its points may have changed between the two reads.
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
