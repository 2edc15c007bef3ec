import type { FoundUsers, OptionalRankEntry, RankPage, RankStanding } from '../contract/api.generated';
import { answerOf, api, given } from '../http/api';
import { keyOf, type Query, queryOf } from '../http/query';

/** Lines, pieces and places of leaderboards, as the server has them. */
export type {
  FoundUser as FoundPerson,
  RankEntry as Entry,
  RankLeaderboard as Leaderboard,
  RankPage as Standings,
  RankStanding as Standing,
  RankTitle as Title,
} from '../contract/api.generated';

/** Which board: its period, or a span of days, and, of a partitioned leaderboard, its partition. */
export interface BoardAddress {
  readonly leaderboard: string;
  readonly period: string;
  readonly partition?: string | undefined;
}

/** Equal points, equal rank: the pages show ties as ties. */
export const ranking = 'competition' as const;

/** Days from one to another, as the pages name them: `2026-11-07..2026-11-20`; null of a period. */
export function spanOf(period: string): { readonly from: string; readonly to: string } | null {
  const [, from, to] = /^([\d-]+)\.\.([\d-]+)$/.exec(period) ?? [];
  return from !== undefined && to !== undefined ? { from, to } : null;
}

const timeOf = (period: string) => spanOf(period) ?? { period };
const paramsOf = ({ period, partition }: BoardAddress) => ({ ...timeOf(period), ...given({ partition }), ranking });
/** No titles are given for spans. */
const linesOf = (board: BoardAddress) => ({ ...paramsOf(board), titles: spanOf(board.period) === null });

/** The leaderboards that there are. */
export const leaderboardsQuery = () => queryOf('/ranks');

/** The first lines of a board; as many as the server gives unasked where no limit is named. */
export function topQuery(board: BoardAddress, limit?: number): Query<RankPage> {
  const { leaderboard } = board;
  const query = { ...linesOf(board), ...given({ limit }) };
  return queryOf('/ranks/{leaderboard}', { params: { path: { leaderboard }, query } });
}

/** The lines around a user. */
export function aroundQuery(board: BoardAddress, userId: string): Query<RankPage> {
  const { leaderboard } = board;
  const query = { ...linesOf(board), radius: 6 };
  return queryOf('/ranks/{leaderboard}/users/{userId}/around', { params: { path: { leaderboard, userId }, query } });
}

/** The signed-in user and the latest whom they follow, ranked among one another: as many as one lookup takes. */
export function followedBoardQuery(board: BoardAddress, ownId: string): Query<RankPage> {
  const { leaderboard } = board;
  const [path, params] = ['/ranks/{leaderboard}/lookup', { path: { leaderboard }, query: linesOf(board) }] as const;
  return {
    key: keyOf(ownId, path, params),
    path,
    async read(signal) {
      const { userIds } = await queryOf('/follows').read(signal);
      const query = { ...params.query, among: true };
      const body = { userIds: [ownId, ...userIds].slice(0, 200) };
      const found = await answerOf(api.POST(path, { params: { ...params, query }, body, signal: signal ?? null }));
      const entries = found.entries.flatMap(({ among, ...entry }) =>
        among ? [{ ...entry, rank: among, change: null }] : [],
      );
      return { ...found, entries, total: entries.length, next: null };
    },
  };
}

/** Where a user stands. */
export function standingQuery(board: BoardAddress, userId: string): Query<RankStanding> {
  const params = { path: { leaderboard: board.leaderboard, userId }, query: paramsOf(board) };
  return queryOf('/ranks/{leaderboard}/users/{userId}', { params });
}

/** Where users stand, in the order in which they are named. */
export async function lookUp(
  { leaderboard, period }: BoardAddress,
  userIds: string[],
): Promise<readonly OptionalRankEntry[]> {
  const params = { path: { leaderboard }, query: timeOf(period) };
  return (await answerOf(api.POST('/ranks/{leaderboard}/lookup', { params, body: { userIds } }))).entries;
}

/** Users whose names begin so, with their places in a period: nobody is looked up in a span. */
export function peopleQuery(name: string, { leaderboard, period, partition }: BoardAddress): Query<FoundUsers> {
  const places = spanOf(period) ? {} : given({ leaderboard, period, partition, ranking });
  return queryOf('/users', { params: { query: { name, ...places, limit: 8 } } });
}

/** The points of actions. */
export const pointsQuery = () => queryOf('/points');
