import type { Ranking } from '@laurel/leaderboard';
import type { OptionalRankEntry, RankAmong } from './rank.responses';

/**
 * Lines in rank order, each user once, with ranks among one another; users who are not on the leaderboard come last,
 * without a rank. Equal scores are ordered as on a board: the earlier first, then by id.
 */
export function rankedAmong(lines: readonly OptionalRankEntry[], ranking: Ranking): RankAmong[] {
  const sorted = [...new Map(lines.map((line) => [line.userId, line])).values()].sort(byRank);
  let among = 0;
  return sorted.map((line, index) => {
    if (line.rank === null) return { ...line, among: null };
    const isTied = ranking !== 'ordinal' && sorted[index - 1]?.rank === line.rank;
    if (!isTied) among = ranking === 'dense' ? among + 1 : index + 1;
    return { ...line, among };
  });
}

function byRank(a: OptionalRankEntry, b: OptionalRankEntry): number {
  if (a.rank !== b.rank) return (a.rank ?? Infinity) - (b.rank ?? Infinity);
  const [one, other] = [a.reachedAt ?? '', b.reachedAt ?? ''];
  if (one !== other) return one < other ? -1 : 1;
  return a.rank === null ? 0 : Buffer.compare(Buffer.from(b.userId), Buffer.from(a.userId));
}
