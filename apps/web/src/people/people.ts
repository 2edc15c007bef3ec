import type { ArticleSummary, Person } from '../articles/articles';
import type { ReadOptions, WithOutcome } from '../points/outcomes';
import type { Period } from '../ranks/ranks';
import { ask, withQuery } from '../http/ask';
import { pathOf } from '../http/path-of';

/** Somebody's profile. */
export interface Profile extends Person {
  /** What the user says of themselves, in a line. */
  readonly text: string | null;
  readonly joinedAt: string;
  readonly followers: number;
  readonly following: number;
  readonly articles: readonly ArticleSummary[];
  /** What the reader did already; null where nobody is signed in. */
  readonly viewer: { readonly follows: boolean } | null;
}

/** What somebody had in one period. */
export interface PointsOfPeriod {
  readonly period: string;
  readonly start: string;
  readonly points: number;
  readonly rank: number;
}

/** What somebody had day by day, as far as days are kept. */
export interface PointsByDay {
  readonly from: string;
  readonly to: string;
  readonly periods: readonly PointsOfPeriod[];
}

/** Where somebody stood in a period that ended. */
export interface PastPlace {
  readonly period: Period;
  readonly total: number;
  readonly rank: number;
  readonly score: number;
}

/** What somebody was given on a day. */
export interface DayOfActions {
  readonly date: string;
  readonly points: number;
  /** How many standing activities of each action. */
  readonly actions: Readonly<Record<string, number>>;
}

/** A line of somebody's ledger. */
export interface LedgerLine {
  readonly action: string;
  readonly subject: string | null;
  readonly digest: string | null;
  readonly reason?: string;
  /** The user who acted, if it was done to something of this user's. */
  readonly from?: string;
  /** What stands; 0 where it was taken back. */
  readonly points: number;
  readonly grantedAt: string | null;
  readonly revokedAt: string | null;
}

/** A page of a day of somebody's ledger. */
export interface LedgerPage {
  readonly points: number;
  readonly total: number;
  readonly lines: readonly LedgerLine[];
  readonly next: string | null;
}

/** A profile; visiting it is worth a view, of which the answer tells where it is asked. */
export function readProfile(id: string, { isTold, signal }: ReadOptions): Promise<Profile & WithOutcome> {
  const path = withQuery(pathOf`/users/${id}`, { outcome: isTold || undefined });
  return ask('GET', path, { signal });
}

/** Says something of oneself; null takes it back. */
export function describe(text: string | null): Promise<void> {
  return text === null ? ask('DELETE', '/profile/text') : ask('PUT', '/profile/text', { body: { text } });
}

/** Points day by day of the last year, or as far back as there are any. */
export function readPointsByDay(id: string, signal: AbortSignal): Promise<PointsByDay> {
  return ask('GET', pathOf`/ranks/day/users/${id}/points`, { signal });
}

/** Where somebody stood in past periods, the latest first. */
export async function readPastPlaces(
  leaderboard: string,
  id: string,
  signal: AbortSignal,
): Promise<readonly PastPlace[]> {
  const path = withQuery(pathOf`/ranks/${leaderboard}/users/${id}/history`, {
    limit: 24,
    ranking: 'competition',
  });
  return (await ask<{ entries: readonly PastPlace[] }>('GET', path, { signal })).entries;
}

/** A user's points day by day, at most 31 days. For that user alone. */
export async function readActions(
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
  signal: AbortSignal,
): Promise<readonly DayOfActions[]> {
  const path = withQuery(pathOf`/activity/users/${id}`, { from, to });
  return (await ask<{ days: readonly DayOfActions[] }>('GET', path, { signal })).days;
}

/** A user's ledger of a day. For that user alone. */
export function readLedger(
  id: string,
  { date, cursor }: { readonly date: string; readonly cursor?: string },
  signal?: AbortSignal,
): Promise<LedgerPage> {
  const path = withQuery(pathOf`/activity/users/${id}/ledger`, { date, cursor, limit: 50 });
  return ask('GET', path, signal ? { signal } : {});
}
