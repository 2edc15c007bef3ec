import type {
  FoundUser,
  OptionalRankEntry,
  PointsOfAction,
  RankLeaderboard,
  RankPage,
  RankStanding,
} from '../contract/api.generated';
import { answerOf, api, given } from '../http/api';

/** Lines, pieces and places of leaderboards, as the server has them. */
export type {
  FoundUser as FoundPerson,
  RankEntry as Entry,
  RankLeaderboard as Leaderboard,
  RankPage as Standings,
  RankStanding as Standing,
  RankTitle as Title,
} from '../contract/api.generated';

/** Which board: its period and, of a partitioned leaderboard, its partition. */
export interface BoardAddress {
  readonly leaderboard: string;
  readonly period: string;
  readonly partition?: string | undefined;
}

/** Equal points, equal rank: the pages show ties as ties. */
export const ranking = 'competition';

const queryOf = ({ period, partition }: BoardAddress) => given({ period, partition, ranking });

/** The leaderboards that there are. */
export async function readLeaderboards(signal?: AbortSignal): Promise<readonly RankLeaderboard[]> {
  return (await answerOf(api.GET('/ranks', { signal: signal ?? null }))).leaderboards;
}

/** The first lines of a board. */
export function readTop(board: BoardAddress, limit: number, signal?: AbortSignal): Promise<RankPage> {
  const { leaderboard } = board;
  const query = { ...queryOf(board), limit, titles: true };
  return answerOf(
    api.GET('/ranks/{leaderboard}', { params: { path: { leaderboard }, query }, signal: signal ?? null }),
  );
}

/** The lines around a user. */
export function readAround(board: BoardAddress, userId: string, signal?: AbortSignal): Promise<RankPage> {
  const { leaderboard } = board;
  const query = { ...queryOf(board), radius: 6, titles: true };
  const params = { path: { leaderboard, userId }, query };
  return answerOf(api.GET('/ranks/{leaderboard}/users/{userId}/around', { params, signal: signal ?? null }));
}

/** Where a user stands. */
export function readStanding(board: BoardAddress, userId: string, signal?: AbortSignal): Promise<RankStanding> {
  const params = { path: { leaderboard: board.leaderboard, userId }, query: queryOf(board) };
  return answerOf(api.GET('/ranks/{leaderboard}/users/{userId}', { params, signal: signal ?? null }));
}

/** Where users stand, in the order in which they are named. */
export async function lookUp(
  { leaderboard, period }: BoardAddress,
  userIds: string[],
): Promise<readonly OptionalRankEntry[]> {
  const params = { path: { leaderboard }, query: { period } };
  return (await answerOf(api.POST('/ranks/{leaderboard}/lookup', { params, body: { userIds } }))).entries;
}

/** Users whose names begin so. */
export async function findPeople(
  name: string,
  { leaderboard, period, partition }: BoardAddress,
  signal: AbortSignal,
): Promise<readonly FoundUser[]> {
  const query = given({ name, leaderboard, period, partition, ranking, limit: 8 });
  return (await answerOf(api.GET('/users', { params: { query }, signal }))).users;
}

/** What actions are worth. */
export async function readPoints(): Promise<readonly PointsOfAction[]> {
  return (await answerOf(api.GET('/points'))).actions;
}
