import type {
  HistoryAnswer,
  LedgerPage,
  RankHistory,
  RankPoints,
  UserPageWithOutcome,
  UserRewards,
} from '../contract/api.generated';
import { api, given } from '../http/api';
import { type Asked, asked } from '../http/asked';

/** Profiles, and what somebody had when, as the server has them. */
export type {
  HistoryDay as DayOfActions,
  LedgerPageLine as LedgerLine,
  RankHistoryEntry as PastPlace,
  UserPageWithOutcome as Profile,
} from '../contract/api.generated';

/** A profile; visiting it is worth a view, of which the answer tells where it is asked. */
export function profileAsked(id: string, isTold: boolean): Asked<UserPageWithOutcome> {
  const query = given({ outcome: isTold || undefined });
  return asked('/users/{id}', { params: { path: { id }, query } });
}

/** Says something of oneself; null takes it back. */
export async function describe(text: string | null): Promise<void> {
  await (text === null ? api.DELETE('/profile/text') : api.PUT('/profile/text', { body: { text } }));
}

/** A user's level, badges and days in a row with points. */
export function rewardsAsked(userId: string): Asked<UserRewards> {
  return asked('/activity/users/{userId}/rewards', { params: { path: { userId } } });
}

/** Points day by day of the last year, or as far back as there are any. */
export function pointsByDayAsked(userId: string): Asked<RankPoints> {
  const params = { path: { leaderboard: 'day', userId } };
  return asked('/ranks/{leaderboard}/users/{userId}/points', { params });
}

/** Where somebody stood in past periods, the latest first. */
export function pastPlacesAsked(leaderboard: string, userId: string): Asked<RankHistory> {
  const params = { path: { leaderboard, userId }, query: { limit: 24, ranking: 'competition' } } as const;
  return asked('/ranks/{leaderboard}/users/{userId}/history', { params });
}

/** A user's points day by day, at most 31 days. For that user alone. */
export function actionsAsked(
  userId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Asked<HistoryAnswer> {
  const params = { path: { userId }, query: { from, to } };
  return asked('/activity/users/{userId}', { params });
}

/** A user's ledger of a day. For that user alone. */
export function ledgerAsked(
  userId: string,
  { date, cursor }: { readonly date: string; readonly cursor?: string },
): Asked<LedgerPage> {
  const params = { path: { userId }, query: given({ date, cursor, limit: 50 }) };
  return asked('/activity/users/{userId}/ledger', { params });
}
