import type { Entry, Period, Ranking } from '@laurel/leaderboard';
import type { BoardStanding } from '@laurel/leaderboard/internals';
import type { ScoreBounds } from '../activity/checks';
import type { Standings } from '../extensions/standings';
import { readScoped, writeScoped } from '../http/scoped-cursor';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import type { PageRead } from './page-assembler';
import type { OptionalRankEntry, RankAmong, RankPartition, RankPartitions } from './rank.responses';

/** So many names are looked at for one page of parts: there may be many that everybody has left. */
const maxNames = 1_000;
/** A name of 64 bytes, in JSON and base64. */
const maxCursorLength = 600;

/** Which of the entries between the bounds. */
interface BoundedPage {
  readonly limit: number;
  /** Passed over, from the first within the bounds on. */
  readonly offset: number;
  readonly cursor: string | undefined;
  readonly ranking: Ranking;
}

/**
 * As {@link pageBetween}, from the last entry up; `offset` passes over the last ones. Two round trips, in an archive
 * one for each time that the entries can be halved where there are bounds.
 */
export async function pageFromWorst(
  standings: Standings,
  bounds: ScoreBounds,
  { limit, offset, ranking }: BoundedPage,
): Promise<PageRead> {
  const [total, above, end] = await Promise.all([
    standings.size(),
    aboveOf(standings, bounds),
    bounds.min > -Number.MAX_SAFE_INTEGER ? standings.countBetween(bounds.min, Infinity) : Infinity,
  ]);
  const last = Math.min(end, total) - offset;
  const count = Math.min(limit, last - above);
  if (count <= 0) return { total, entries: [], next: null };
  const { entries } = await standings.page({ offset: last - count }, count, { ranking });
  return { total, entries: entries.reverse(), next: null };
}

/**
 * Entries with scores between the bounds, with their ranks among all; `total` is that of all. One round trip behind a
 * cursor or without an upper bound, else two, or in an archive one for each time that the entries can be halved; one
 * more with a lower bound where others follow.
 */
export async function pageBetween(
  standings: Standings,
  bounds: ScoreBounds,
  { limit, offset, cursor, ranking }: BoundedPage,
): Promise<PageRead> {
  const { min, max } = bounds;
  const above = cursor === undefined ? await aboveOf(standings, bounds) : 0;
  const [total, page] = await Promise.all([
    standings.size(),
    cursor === undefined
      ? standings.page({ offset: above + offset }, limit, { ranking })
      : standings.after(cursor, limit, { ranking }),
  ]);
  const entries = page.entries.filter(({ score }) => score >= min && score <= max);
  if (page.next === null || min === -Number.MAX_SAFE_INTEGER) return { total, entries, next: page.next };
  const [following] = (await standings.after(page.next, 1)).entries;
  return { total, entries, next: following && following.score >= min ? page.next : null };
}

function aboveOf(standings: Standings, { max }: ScoreBounds): Promise<number> | 0 {
  return max < Number.MAX_SAFE_INTEGER ? standings.countBetween(max + 1, Infinity) : 0;
}

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

/**
 * The partitions with entries, in the order of their names' bytes, behind the `cursor` that the page before gave. One
 * round trip for the names of a page, and one for their sizes; as many again if some are empty. A page for which 1,000
 * names were looked at ends early.
 * @throws ActivityError `invalidCursor`
 */
export async function livePartitions(
  leaderboard: LeaderboardBoards,
  period: Period,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): Promise<Pick<RankPartitions, 'partitions' | 'next'>> {
  const scope = ['partitions', leaderboard.name, period.key];
  const isText = (value: unknown) => typeof value === 'string';
  const after = cursor === undefined ? undefined : readScoped(scope, cursor, isText, maxCursorLength);
  const found: RankPartition[] = [];
  let names: string[] = [];
  const take = async () => {
    const totals = await Promise.all(names.map((name) => leaderboard.part(name).reader(period).size()));
    found.push(...names.map((name, i) => ({ name, total: totals[i] ?? 0 })).filter(({ total }) => total > 0));
    names = [];
  };
  let looked = 0;
  let lastName: string | undefined;
  for await (const name of leaderboard.partitions(period, { after, pageSize: limit + 1 })) {
    names.push(name);
    looked += 1;
    if (names.length > limit) await take();
    if (looked === maxNames) lastName = name;
    if (found.length > limit || lastName !== undefined) break;
  }
  await take();
  const partitions = found.slice(0, limit);
  const last = found.length > limit ? partitions.at(-1)?.name : lastName;
  return { partitions, next: last === undefined ? null : writeScoped(scope, last) };
}
