import type {
  HistoryDay,
  LedgerPage,
  RankHistoryEntry,
  RankPoints,
  UserPageWithOutcome,
} from '../contract/api.generated';
import { answerOf, api, given } from '../http/api';
import type { ReadOptions } from '../points/outcomes';

/** Profiles, and what somebody had when, as the server has them. */
export type {
  HistoryDay as DayOfActions,
  LedgerPageLine as LedgerLine,
  PeriodPoints as PointsOfPeriod,
  RankHistoryEntry as PastPlace,
  UserPageWithOutcome as Profile,
} from '../contract/api.generated';

/** A profile; visiting it is worth a view, of which the answer tells where it is asked. */
export function readProfile(id: string, { isTold, signal }: ReadOptions): Promise<UserPageWithOutcome> {
  const query = given({ outcome: isTold || undefined });
  return answerOf(api.GET('/users/{id}', { params: { path: { id }, query }, signal }));
}

/** Says something of oneself; null takes it back. */
export async function describe(text: string | null): Promise<void> {
  await (text === null ? api.DELETE('/profile/text') : api.PUT('/profile/text', { body: { text } }));
}

/** Points day by day of the last year, or as far back as there are any. */
export function readPointsByDay(userId: string, signal: AbortSignal): Promise<RankPoints> {
  const params = { path: { leaderboard: 'day', userId } };
  return answerOf(api.GET('/ranks/{leaderboard}/users/{userId}/points', { params, signal }));
}

/** Where somebody stood in past periods, the latest first. */
export async function readPastPlaces(
  leaderboard: string,
  userId: string,
  signal: AbortSignal,
): Promise<readonly RankHistoryEntry[]> {
  const params = { path: { leaderboard, userId }, query: { limit: 24, ranking: 'competition' } } as const;
  return (await answerOf(api.GET('/ranks/{leaderboard}/users/{userId}/history', { params, signal }))).entries;
}

/** A user's points day by day, at most 31 days. For that user alone. */
export async function readActions(
  userId: string,
  { from, to }: { readonly from: string; readonly to: string },
  signal: AbortSignal,
): Promise<readonly HistoryDay[]> {
  const params = { path: { userId }, query: { from, to } };
  return (await answerOf(api.GET('/activity/users/{userId}', { params, signal }))).days;
}

/** A user's ledger of a day. For that user alone. */
export function readLedger(
  userId: string,
  { date, cursor }: { readonly date: string; readonly cursor?: string },
  signal?: AbortSignal,
): Promise<LedgerPage> {
  const params = { path: { userId }, query: given({ date, cursor, limit: 50 }) };
  return answerOf(api.GET('/activity/users/{userId}/ledger', { params, signal: signal ?? null }));
}
