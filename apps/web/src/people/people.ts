import type {
  HistoryAnswer,
  LedgerPage,
  RankHistory,
  RankPoints,
  UserPageWithOutcome,
  UserRewards,
} from '../contract/api.generated';
import { api, given } from '../http/api';
import { type Query, queryOf } from '../http/query';

/** Profiles, and what somebody had when, as the server has them. */
export type {
  HistoryDay as DayOfActions,
  LedgerPageLine as LedgerLine,
  RankHistoryEntry as PastPlace,
  UserPageWithOutcome as Profile,
} from '../contract/api.generated';

/** A profile; visiting it is worth a view, of which the answer tells where it is asked. */
export function profileQuery(id: string, isTold: boolean): Query<UserPageWithOutcome> {
  const query = given({ outcome: isTold || undefined });
  return queryOf('/users/{id}', { params: { path: { id }, query } });
}

/** Says something of oneself; null takes it back. */
export async function describe(text: string | null): Promise<void> {
  await (text === null ? api.DELETE('/profile/text') : api.PUT('/profile/text', { body: { text } }));
}

/** A user's level, badges and days in a row with points. */
export function rewardsQuery(userId: string): Query<UserRewards> {
  return queryOf('/activity/users/{userId}/rewards', { params: { path: { userId } } });
}

/** Points day by day of the last year, or as far back as there are any. */
export function pointsByDayQuery(userId: string): Query<RankPoints> {
  const params = { path: { leaderboard: 'day', userId } };
  return queryOf('/ranks/{leaderboard}/users/{userId}/points', { params });
}

/** Where somebody stood in past periods, the latest first. */
export function pastPlacesQuery(leaderboard: string, userId: string): Query<RankHistory> {
  const params = { path: { leaderboard, userId }, query: { limit: 24, ranking: 'competition' } } as const;
  return queryOf('/ranks/{leaderboard}/users/{userId}/history', { params });
}

/** A user's points day by day, at most 31 days. For that user alone. */
export function actionsQuery(
  userId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Query<HistoryAnswer> {
  const params = { path: { userId }, query: { from, to } };
  return queryOf('/activity/users/{userId}', { params });
}

/** A user's ledger of a day. For that user alone. */
export function ledgerQuery(
  userId: string,
  { date, cursor }: { readonly date: string; readonly cursor?: string },
): Query<LedgerPage> {
  const params = { path: { userId }, query: given({ date, cursor, limit: 50 }) };
  return queryOf('/activity/users/{userId}/ledger', { params });
}
