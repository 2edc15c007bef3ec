import type {
  Adjusted,
  Adjustment,
  DecidedSubmission,
  ErasureReceipt,
  Exclusion,
  ExclusionList,
  ExclusionOptions,
  ExclusionState,
  FoundUsers,
  LiveLeaderboardsAnswer,
  ReportedRings,
  RevaluationReport,
  Review,
  RulesAnswer,
  RulesChanged,
  Simulation,
  SubmissionList,
} from '../contract/api.generated';
import { answerOf, clientOf, given } from '../http/api';
import { queriesOf, type Query, queryOf } from '../http/query';
import { lookUp } from '../ranks/ranks';
import { operatorKey } from './operator-key';
import type { ChosenStandings } from './standings-choice';

/** The operators' answers, as the server defines them. */
export type {
  ErasureReceipt,
  Exclusion,
  ReportedRings,
  RevaluationReport as Revaluation,
  RuleChange,
  RulesAnswer as RulesInForce,
  Simulation,
  Submission,
} from '../contract/api.generated';

/** The routes, asked with the operator's key. */
const keyed = clientOf(() => operatorKey.value ?? '');
const operatorQuery = queriesOf(keyed, () => operatorKey.value);

/** The reasons for which a user is kept off the leaderboards. */
export const exclusionReasons = ['banned', 'staff', 'held'] as const satisfies readonly Exclusion['reason'][];

/** Articles that wait to be reviewed, the oldest first. */
export function submissionsQuery(cursor?: string): Query<SubmissionList> {
  return operatorQuery('/submissions', { params: { query: given({ limit: 10, cursor }) } });
}

/** Puts an article online. @throws ApiError `conflict` where another moderator was faster */
export function approve(id: string): Promise<DecidedSubmission> {
  return answerOf(keyed.POST('/submissions/{id}/approve', { params: { path: { id } } }));
}

/** Keeps an article offline. @throws ApiError `conflict` where another moderator was faster */
export function refuse(id: string, reason: string): Promise<DecidedSubmission> {
  return answerOf(keyed.POST('/submissions/{id}/refuse', { params: { path: { id } }, body: { reason } }));
}

/** How far each leaderboard is settled. */
export const settlementQuery = () => operatorQuery('/activity/settlement');

/** The leaderboards that began while the app runs. */
export const liveLeaderboardsQuery = () => operatorQuery('/activity/leaderboards');

/** Begins a contest. */
export function beginLeaderboard(body: {
  readonly name: string;
  readonly contest: { readonly from: string; readonly to: string };
}): Promise<LiveLeaderboardsAnswer> {
  return answerOf(keyed.POST('/activity/leaderboards', { body }));
}

/** Ends a leaderboard: it takes no more points. */
export function endLeaderboard(name: string): Promise<LiveLeaderboardsAnswer> {
  return answerOf(keyed.DELETE('/activity/leaderboards/{name}', { params: { path: { name } } }));
}

/** The latest refusals. */
export const refusalsQuery = () => operatorQuery('/activity/refusals', { params: { query: { limit: 50 } } });

/** Excluded users, about a hundred of them. */
export function exclusionsQuery(cursor?: string): Query<ExclusionList> {
  return operatorQuery('/activity/exclusions', { params: { query: given({ limit: 100, cursor }) } });
}

/** Keeps a user off every leaderboard. */
export function exclude(userId: string, body: ExclusionOptions): Promise<ExclusionState> {
  return answerOf(keyed.PUT('/activity/exclusions/{userId}', { params: { path: { userId } }, body }));
}

/** Ends the exclusion of a user. */
export function include(userId: string): Promise<ExclusionState> {
  return answerOf(keyed.DELETE('/activity/exclusions/{userId}', { params: { path: { userId } } }));
}

/** The latest adjustments. */
export const adjustmentsQuery = () => operatorQuery('/activity/adjustments', { params: { query: { limit: 50 } } });

/** Gives or takes points, once for each id. */
export function adjust(body: Adjustment): Promise<Adjusted> {
  return answerOf(keyed.POST('/activity/adjustments', { body }));
}

/** Rules and limits. */
export const rulesQuery = () => operatorQuery('/activity/rules');

/** Rules and limits as an operator wrote them. */
export type WrittenRules = Pick<RulesAnswer, 'rules' | 'limits'>;

/** Computes how standings would have been under these rules, and names those who would be first. Changes nothing. */
export async function simulate(
  body: WrittenRules,
  { leaderboard, period }: ChosenStandings,
): Promise<{ readonly simulation: Simulation; readonly names: ReadonlyMap<string, string> }> {
  const query = { leaderboard, period, top: 10 };
  const simulation = await answerOf(keyed.POST('/activity/simulations', { params: { query }, body }));
  const userIds = simulation.top.map(({ userId }) => userId);
  if (userIds.length === 0) return { simulation, names: new Map() };
  const entries = await lookUp({ leaderboard, period }, userIds);
  return { simulation, names: new Map(entries.map(({ userId, user }) => [userId, user?.name ?? userId])) };
}

/** How rules are put. */
export interface PutRules {
  /** The revision that they were made from: where another is in force by then, that change is not lost. */
  readonly revision: number;
  readonly isDryRun: boolean;
}

/** Puts rules in force or, in a dry run, says what would change. @throws ApiError `outdated` */
export function putRules(body: WrittenRules, { revision, isDryRun }: PutRules): Promise<RulesChanged> {
  const params = { query: given({ dryRun: isDryRun || undefined }), header: { 'If-Match': `"${revision}"` } };
  return answerOf(keyed.POST('/activity/rules', { params, body }));
}

/** Gives what was recorded since a day the points of the rules in force. */
export function revalue(from: string): Promise<RevaluationReport> {
  return answerOf(keyed.POST('/activity/revaluations', { params: { query: { from } } }));
}

/** The reviews that are not decided, the oldest first. */
export const reviewsQuery = () =>
  operatorQuery('/activity/reviews', { params: { query: { state: 'held', limit: 50 } } });

/** Which points are held back, and why. */
export interface Held {
  readonly reason: string;
  /** Those in question are what the user earned from here on; default: from now on. */
  readonly from?: string;
  /** Those of this action alone wait, and the user stays on the leaderboards; default: all. */
  readonly action?: string | undefined;
}

/** Holds a user's points back. */
export function hold(userId: string, held: Held): Promise<Review> {
  return answerOf(keyed.POST('/activity/reviews', { body: given({ userId, ...held }) }));
}

/** Rings of people of whom each praises the next so often at least. Takes the server up to half a minute. */
export function findRings({ leaderboard, period, min }: ChosenStandings & { min: number }): Promise<ReportedRings> {
  return answerOf(keyed.GET('/activity/rings', { params: { query: { leaderboard, period, min } } }));
}

/** Gives the points back, or takes those in question for good. */
export function decideReview(id: string, decision: 'release' | 'void'): Promise<Review> {
  return answerOf(keyed.POST(`/activity/reviews/{id}/${decision}`, { params: { path: { id } }, body: {} }));
}

/** Erases a user everywhere. */
export function erase(userId: string): Promise<ErasureReceipt> {
  return answerOf(keyed.DELETE('/activity/users/{userId}', { params: { path: { userId } } }));
}

/** How far an erasure is. */
export function receiptQuery(id: string): Query<ErasureReceipt> {
  return operatorQuery('/activity/erasure-receipts/{id}', { params: { path: { id } } });
}

/** Users with this in their names. */
export function usersByNameQuery(name: string): Query<FoundUsers> {
  return queryOf('/users', { params: { query: { name: name.slice(0, 40), limit: 10 } } });
}
