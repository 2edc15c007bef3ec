import { ask, withQuery } from '../http/ask';
import { pathOf } from '../http/path-of';

/** A period of a leaderboard. */
export interface Period {
  readonly key: string;
  readonly start: string;
  readonly end: string | null;
  readonly state: 'notStarted' | 'open' | 'closing' | 'settled';
}

/** The profile of an entry's user; null if none is known. */
export type RankUser = {
  readonly name: string;
  readonly avatarUrl: string | null;
  /** What the user says of themselves, in a line. */
  readonly text?: string | null;
} | null;

/** A personal line earned in a period. */
export interface Title {
  readonly id: string;
  readonly name: string;
}

/** A line of a leaderboard. */
export interface Entry<Rank extends number | null = number> {
  readonly rank: Rank;
  readonly userId: string;
  readonly score: number;
  readonly reachedAt: string | null;
  /** Places won or lost since the period before. */
  readonly change: number | null;
  readonly user: RankUser;
  readonly title?: Title | null;
}

/** Standings, or a piece of them. */
export interface Standings {
  readonly leaderboard: string;
  readonly partition?: string;
  readonly period: Period;
  readonly total: number;
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

/** One user's standing. */
export interface Standing {
  readonly leaderboard: string;
  readonly partition?: string;
  readonly period: Period;
  readonly total: number;
  readonly entry: Entry<number | null>;
  /** Whether others have the same rank. */
  readonly tied: boolean;
  readonly percentile: number | null;
  readonly ahead: { readonly userId: string; readonly score: number; readonly gap: number } | null;
  readonly top10: { readonly score: number; readonly gap: number } | null;
  readonly excluded?: true;
}

/** A leaderboard, as the list of them has it. */
export interface Leaderboard {
  readonly name: string;
  readonly kind: 'day' | 'week' | 'month' | 'year' | 'all' | 'contest' | 'rolling';
  readonly timezone: string;
  /** What its parts are; each part is a board of its own. */
  readonly partition?: string;
  readonly current: Period;
}

/** Which board: its period and, of a partitioned leaderboard, its partition. */
export interface BoardAddress {
  readonly leaderboard: string;
  readonly period: string;
  readonly partition?: string | undefined;
}

/** Equal points, equal rank: the pages show ties as ties. */
export const ranking = 'competition';

const queryOf = ({ period, partition }: BoardAddress) => ({ period, partition, ranking });

/** The leaderboards that there are. */
export async function readLeaderboards(signal?: AbortSignal): Promise<readonly Leaderboard[]> {
  const { leaderboards } = await ask<{ leaderboards: readonly Leaderboard[] }>('GET', '/ranks', signalled(signal));
  return leaderboards;
}

/** The first lines of a board. */
export function readTop(board: BoardAddress, limit: number, signal?: AbortSignal): Promise<Standings> {
  const path = withQuery(pathOf`/ranks/${board.leaderboard}`, { ...queryOf(board), limit, titles: true });
  return ask('GET', path, signalled(signal));
}

/** The lines around a user. */
export function readAround(board: BoardAddress, userId: string, signal?: AbortSignal): Promise<Standings> {
  const path = withQuery(pathOf`/ranks/${board.leaderboard}/users/${userId}/around`, {
    ...queryOf(board),
    radius: 6,
    titles: true,
  });
  return ask('GET', path, signalled(signal));
}

/** Where a user stands. */
export function readStanding(board: BoardAddress, userId: string, signal?: AbortSignal): Promise<Standing> {
  return ask('GET', withQuery(pathOf`/ranks/${board.leaderboard}/users/${userId}`, queryOf(board)), signalled(signal));
}

/** A user found by name, with their place on the board if they have one. */
export interface FoundPerson {
  readonly id: string;
  readonly name: string;
  readonly avatarUrl: string;
  readonly rank?: number | null;
  readonly score?: number;
}

/** Users whose names begin so. */
export async function findPeople(
  name: string,
  { leaderboard, period, partition }: BoardAddress,
  signal: AbortSignal,
): Promise<readonly FoundPerson[]> {
  const path = withQuery('/users', { name, leaderboard, period, partition, ranking, limit: 8 });
  return (await ask<{ users: readonly FoundPerson[] }>('GET', path, { signal })).users;
}

/** What one action is worth. */
export interface PointsOfAction {
  readonly action: string;
  readonly points: number;
  readonly revocable: boolean;
}

/** What actions are worth. */
export async function readPoints(): Promise<readonly PointsOfAction[]> {
  return (await ask<{ actions: readonly PointsOfAction[] }>('GET', '/points')).actions;
}

function signalled(signal: AbortSignal | undefined) {
  return signal ? { signal } : {};
}
