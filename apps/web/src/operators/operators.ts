import type { Article } from '../articles/articles';
import type { Entry, Period } from '../ranks/ranks';
import { ask, type AskOptions, withQuery } from '../http/ask';
import { pathOf } from '../http/path-of';
import { operatorKey } from './operator-key';

type Keyed = Omit<AskOptions, 'key'>;

/** As `ask`, with the operator's key. */
function askKeyed<Answer>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, options: Keyed = {}) {
  return ask<Answer>(method, path, { ...options, key: operatorKey.value ?? '' });
}

/** How far a leaderboard is settled. */
export interface SettlementOfBoard {
  readonly leaderboard: string;
  readonly current: Period;
  readonly waiting: readonly (Period & { readonly closesAt: string; readonly isDue: boolean })[];
  readonly lastSettled: {
    readonly key: string;
    readonly settledAt: string;
    readonly total: number;
    readonly checksum: string;
  } | null;
}

/** The outcomes of one minute. */
export interface MinuteOfOutcomes {
  readonly at: string;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** An activity that was refused. */
export interface Refusal {
  readonly at: string;
  readonly userId: string;
  readonly action: string;
  readonly subject: string;
  readonly outcome: string;
  readonly reason: string;
  readonly allowedAgainAt: string | null;
}

/** The reasons for which a user is kept off the leaderboards. */
export const exclusionReasons = ['banned', 'staff', 'optedOut', 'held'] as const;

/** An excluded user, and the reason. */
export interface Exclusion {
  readonly userId: string;
  readonly reason: (typeof exclusionReasons)[number];
  readonly source: string;
  readonly since: string;
  readonly by: string | null;
  readonly note: string | null;
}

/** Points that an operator gave or took. */
export interface Adjustment {
  readonly at: string;
  readonly id: string;
  readonly userId: string;
  readonly points: number;
  readonly reason: string;
  readonly outcome: string;
}

/** What counts. */
export interface RulesInForce {
  readonly version: number | null;
  readonly revision: number;
  readonly since: string;
  readonly source: string;
  readonly rules: readonly object[];
  readonly limits: readonly object[];
}

/** A rule or a limit that comes, goes or differs. */
export interface RuleChange {
  readonly kind: 'rule' | 'limit';
  readonly name: string;
  readonly before: object | null;
  readonly after: object | null;
}

/** An article that waits to be reviewed. */
export interface Submission {
  readonly id: string;
  readonly submittedAt: string;
  readonly article: Pick<Article, 'id' | 'title' | 'category' | 'body' | 'author'>;
}

/** Articles that wait to be reviewed, the oldest first. */
export const readSubmissions = (signal?: AbortSignal, cursor?: string) =>
  askKeyed<{ readonly submissions: readonly Submission[]; readonly next: string | null }>(
    'GET',
    withQuery('/submissions', { limit: 10, cursor }),
    signal && { signal },
  );

/** Puts an article online. @throws ApiError `conflict` where another moderator was faster */
export const approve = (id: string) => askKeyed('POST', pathOf`/submissions/${id}/approve`);

/** Keeps an article offline. @throws ApiError `conflict` where another moderator was faster */
export const refuse = (id: string, reason: string) =>
  askKeyed('POST', pathOf`/submissions/${id}/refuse`, { body: { reason } });

/** How far each leaderboard is settled. */
export const readSettlement = (signal: AbortSignal) =>
  askKeyed<{ readonly isOn: boolean; readonly leaderboards: readonly SettlementOfBoard[] }>(
    'GET',
    '/activity/settlement',
    { signal },
  );

/** What became of activities, minute by minute, on the instance that answers. */
export const readOutcomes = (signal: AbortSignal) =>
  askKeyed<{ readonly minutes: readonly MinuteOfOutcomes[] }>('GET', '/activity/outcomes?minutes=60', { signal });

/** The latest refusals. */
export const readRefusals = (signal: AbortSignal) =>
  askKeyed<{ readonly refusals: readonly Refusal[] }>('GET', '/activity/refusals?limit=50', { signal });

/** Some of those who are kept off the leaderboards. */
export interface ExclusionsPage {
  readonly exclusions: readonly Exclusion[];
  readonly next: string | null;
}

/** Excluded users, about a hundred of them. */
export const readExclusions = (signal: AbortSignal) =>
  askKeyed<ExclusionsPage>('GET', '/activity/exclusions?limit=100', { signal });

/** Those who come after. */
export const readMoreExclusions = (cursor: string) =>
  askKeyed<ExclusionsPage>('GET', withQuery('/activity/exclusions', { limit: 100, cursor }));

/** Keeps a user off every leaderboard. */
export const exclude = (userId: string, body: { readonly reason: string; readonly note?: string }) =>
  askKeyed('PUT', pathOf`/activity/exclusions/${userId}`, { body });

/** Ends the exclusion of a user. */
export const include = (userId: string) => askKeyed('DELETE', pathOf`/activity/exclusions/${userId}`);

/** The latest adjustments. */
export const readAdjustments = (signal: AbortSignal) =>
  askKeyed<{ readonly adjustments: readonly Adjustment[] }>('GET', '/activity/adjustments?limit=50', { signal });

/** Gives or takes points, once for each id. */
export const adjust = (body: Pick<Adjustment, 'id' | 'userId' | 'points' | 'reason'>) =>
  askKeyed<Pick<Adjustment, 'outcome' | 'points'>>('POST', '/activity/adjustments', { body });

/** What counts. */
export const readRules = (signal: AbortSignal) => askKeyed<RulesInForce>('GET', '/activity/rules', { signal });

/** How the standings of a period would have been under other rules. */
export interface Simulation {
  readonly users: number;
  readonly pointsNow: number;
  readonly pointsThen: number;
  readonly top: readonly {
    readonly userId: string;
    readonly points: number;
    readonly rankNow: number;
    readonly pointsNow: number;
  }[];
  /** Actions that were recorded and that the rules give nothing for. */
  readonly worthless: readonly string[];
  /** How many users' ledgers do not add up to their points. */
  readonly uneven: number;
}

/** Which standings rules are tried on. */
export interface TriedOn {
  readonly leaderboard: string;
  readonly period: 'current' | 'previous';
}

/** Computes how standings would have been under these rules, and names those who would be first. Changes nothing. */
export async function simulate(
  rules: unknown,
  { leaderboard, period }: TriedOn,
): Promise<{ readonly simulation: Simulation; readonly names: ReadonlyMap<string, string> }> {
  const path = withQuery('/activity/simulations', { leaderboard, period, top: 10 });
  const simulation = await askKeyed<Simulation>('POST', path, { body: rules });
  const userIds = simulation.top.map(({ userId }) => userId);
  if (userIds.length === 0) return { simulation, names: new Map() };
  const { entries } = await ask<{ readonly entries: readonly Entry<number | null>[] }>(
    'POST',
    withQuery(pathOf`/ranks/${leaderboard}/lookup`, { period }),
    { body: { userIds } },
  );
  return { simulation, names: new Map(entries.map(({ userId, user }) => [userId, user?.name ?? userId])) };
}

/** How rules are put. */
export interface PutRules {
  /** The revision that they were made from: where another is in force by then, that change is not lost. */
  readonly revision: number;
  readonly isDryRun: boolean;
}

/** Puts rules in force or, in a dry run, says what would change. @throws ApiError `outdated` */
export const putRules = (body: unknown, { revision, isDryRun }: PutRules) =>
  askKeyed<RulesInForce & { readonly changes: readonly RuleChange[] }>(
    'POST',
    withQuery('/activity/rules', { dryRun: isDryRun || undefined }),
    { body, headers: { 'If-Match': `"${revision}"` } },
  );

/** A user whose points are held back. */
export interface Review {
  readonly id: string;
  readonly userId: string;
  readonly reason: string;
  readonly heldBy: string | null;
  readonly heldAt: string;
}

/** The reviews that are not decided, the oldest first. */
export const readReviews = (signal: AbortSignal) =>
  askKeyed<{ readonly reviews: readonly Review[] }>('GET', '/activity/reviews?state=held&limit=50', { signal });

/** Holds a user's points back. */
export const hold = (userId: string, reason: string) =>
  askKeyed<Review>('POST', '/activity/reviews', { body: { userId, reason } });

/** Gives the points back, or takes those in question for good. */
export const decideReview = (id: string, decision: 'release' | 'void') =>
  askKeyed<Review>('POST', pathOf`/activity/reviews/${id}/${decision}`, { body: {} });

/** What became of an erasure. */
export interface ErasureReceipt {
  readonly id: string;
  readonly state: 'waiting' | 'running' | 'done';
  readonly askedAt: string;
  readonly erased: Readonly<Record<string, number>>;
}

/** Erases a user everywhere. */
export const erase = (userId: string) => askKeyed<ErasureReceipt>('DELETE', pathOf`/activity/users/${userId}`);

/** How far an erasure is. */
export const readReceipt = (id: string) => askKeyed<ErasureReceipt>('GET', pathOf`/activity/erasure-receipts/${id}`);

/** Users with this in their names. */
export const findNamed = async (name: string, signal?: AbortSignal) =>
  (
    await ask<{ readonly users: readonly { readonly id: string; readonly name: string }[] }>(
      'GET',
      withQuery('/users', { name: name.slice(0, 40), limit: 10 }),
      signal && { signal },
    )
  ).users;
