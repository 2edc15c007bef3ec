import type { Entry, Ranking } from '@laurel/leaderboard';
import type { BoardStanding } from '@laurel/leaderboard/internals';
import type { Standings } from '../extensions/standings';

/**
 * The entry with the next better rank; null for the best rank. By ordinal rank it is the entry directly ahead, by the
 * other rankings the nearest with more points. Reads nothing unless the neighbour has equal points: then one entry, by
 * dense rank two.
 */
export async function nextAhead(
  standings: Standings,
  { entry, around }: BoardStanding,
  ranking: Ranking,
): Promise<Entry | null> {
  const neighbour = entry && around[around.findIndex(({ member }) => member === entry.member) - 1];
  if (!neighbour) return null;
  if (ranking === 'ordinal' || neighbour.score !== entry.score) return neighbour;
  const isCompetition = ranking === 'competition';
  const [rank] = isCompetition ? [entry.rank] : await standings.ranks([entry.member], { ranking: 'competition' });
  const ahead = rank && rank > 1 ? await standings.at(rank - 1, { ranking: 'ordinal' }) : null;
  // Its points may have changed between the two reads.
  return ahead?.score === entry.score ? null : ahead;
}

/** Whether others have the user's rank; by ordinal rank nobody has. */
export function isTied({ entry, around }: BoardStanding, ranking: Ranking): boolean {
  if (ranking === 'ordinal') return false;
  return around.some(({ member, score }) => member !== entry?.member && score === entry?.score);
}
