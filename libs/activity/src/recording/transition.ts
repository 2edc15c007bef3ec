import type { Transition, TransitionOutcome, TransitionResult } from '@laurel/leaderboard';
import {
  type ActivityChange,
  type Outcome,
  type OwnerOutcome,
  ownerOf,
  type Refusal,
  userIn,
} from '../activity/activity';
import { sequenceAt } from '../activity/sequence';
import { pointsIn, pointsOf } from '../points/decimals';
import type { LimitFault } from '../extensions/outcome-observer';
import { fieldById, ledgerField, ownerField, ownerIdText, ownerTexts, subjectText } from '../rules/ledger-field';
import type { OwnerEntry, RuleEntry } from '../rules/rule-book';
import { maxFaultLength } from './limit-faults';
import type { Answered, Asked } from './recorder';

/** A transition without what its rule says; it is put together step by step, as most parts are rarely there. */
type Draft = { -readonly [Name in keyof Transition]: Transition[Name] };

/** Why an activity is worth nothing by its rule, or null where it counts. What is taken back may have counted once. */
export function reasonToIgnore({ rule }: RuleEntry, change: ActivityChange): string | null {
  if (change.revoke) return rule.revocable ? null : 'notRevocable';
  return rule.ownSubject === 'ignore' && ownerOf(change) === change.userId ? 'ownSubject' : null;
}

/** Adds what the ledgers are asked for an activity that was checked: its rule found, its ids well-formed. */
export function askFor(
  { rule, shares, prepare }: RuleEntry,
  change: ActivityChange,
  nowMs: number,
  asked: (Transition | null)[],
): void {
  const { userId, subject, id, occurredAt, sequence, grantedAt, partitions, revoke } = change;
  const isStampedHere = occurredAt === undefined || occurredAt === null;
  const occurredAtMs = isStampedHere ? nowMs : occurredAt.getTime();
  const limitedAs = ledgerField(rule.code, subject);
  const isById = rule.once === 'each' && id != null;
  const field = isById ? fieldById(rule.code, subject, id) : limitedAs;
  const number = isStampedHere ? sequenceAt(nowMs, sequence) : (sequence ?? 0);
  const named = userIn(subject);
  const counterpart = change.ownerId ?? named;
  const prepared = prepare.length > 0 && !revoke ? preparedBy(prepare, change, occurredAtMs) : null;
  const kind = revoke ? 'revoke' : 'grant';
  for (const share of shares) {
    if (!share) {
      asked.push(null);
      continue;
    }
    const transition: Draft = { ...share, kind, member: userId, field, occurredAtMs, sequence: number };
    if (revoke && grantedAt) transition.grantedAtMs = grantedAt.getTime();
    if (id != null) transition.id = ledgerField(rule.code, id);
    if (isById) transition.limitedAs = limitedAs;
    if (partitions) transition.partitions = partitions;
    if (counterpart !== null) transition.counterpart = counterpart;
    if (named !== null) {
      transition.names = [named];
      transition.namedAs = [isById ? ownerTexts(userId, subject)[1] : subjectText(subject)];
    }
    if (prepared) transition.prepared = prepared;
    asked.push(transition);
  }
}

/** What limits of the app's own types are asked with: its own code, before anything is recorded. */
function preparedBy(prepare: RuleEntry['prepare'], change: ActivityChange, occurredAtMs: number) {
  const { userId, action, subject } = change;
  const activity = { userId, action, subject, ownerId: ownerOf(change), occurredAt: new Date(occurredAtMs) };
  return prepare.map((one) => one(activity));
}

/**
 * The giver's outcomes after which the subject's owner is granted or revoked too: the giver's ledger took the moment,
 * or has it already. So a repeated call after a failure between the two completes the owner's ledger.
 */
const passedOn: ReadonlySet<TransitionOutcome> = new Set(['granted', 'revoked', 'duplicate', 'notGranted']);

/**
 * What the ledgers are asked for the subject's owner once the giver's transition is in Redis, with the same moments;
 * null if the rule gives the owner nothing, the owner is unknown or the giver, or no ledger took the giver's.
 */
export function ownerTransitionsOf(
  { rule, owner, takenFromOwner }: RuleEntry,
  change: ActivityChange,
  asked: Asked,
  answered: Answered,
): Asked | null {
  const shares = change.revoke ? takenFromOwner : owner?.shares;
  const ownerId = ownerOf(change);
  if (!shares || ownerId === null || ownerId === change.userId) return null;
  const { userId, subject, id = null } = change;
  const isById = rule.once === 'each' && id !== null;
  const field = ownerField(rule.code, userId, subject, isById ? id : null);
  const named = userIn(change.subject);
  const names = named === null ? [change.userId] : [change.userId, named];
  const namedAs = ownerTexts(change.userId, change.subject);
  const transitions = shares.map((share, ledger) => {
    const given = asked[ledger];
    const result = answered[ledger];
    if (!share || !given || !result || !passedOn.has(result.outcome)) return null;
    const { kind, occurredAtMs, sequence, grantedAtMs, partitions } = given;
    const transition: Draft = { ...share, kind, member: ownerId, field, names, namedAs, occurredAtMs };
    if (id !== null) transition.id = ownerIdText(rule.code, userId, id);
    if (sequence !== undefined) transition.sequence = sequence;
    if (grantedAtMs !== undefined) transition.grantedAtMs = grantedAtMs;
    if (partitions) transition.partitions = partitions;
    return transition;
  });
  return transitions.some((transition) => transition !== null) ? transitions : null;
}

/**
 * One outcome of what the ledgers answered. It is the main ledger's or, where that one is closed or was not asked, that
 * of the first that is open; scores and boards are those of all. Where it was not refused, another's refusal is named.
 * Ledgers have whole units, the outcome has points.
 */
export function outcomeOf(answered: Answered, decimals: number): Outcome {
  const outcome = outcomeInUnits(answered);
  if (decimals === 0) return outcome;
  const { points, scores } = outcome;
  return { ...outcome, points: pointsOf(points, decimals), scores: pointsIn(scores, decimals) };
}

function outcomeInUnits(answered: Answered): Outcome {
  const [only] = answered;
  // The usual case is handed on as it is.
  if (answered.length === 1 && only && isUnrefused(only)) return only;
  const results = answered.filter((result) => result !== null);
  const first = results.reduce((before, result) => (before.outcome === 'closed' ? result : before));
  const late = results.flatMap((result) => result.late ?? []);
  const reason = first.reason ?? results.find(isRefused)?.reason;
  return {
    outcome: first.outcome,
    points: first.points,
    scores: Object.assign({}, ...results.map(({ scores }) => scores)) as Outcome['scores'],
    boards: Object.assign({}, ...results.map(({ boards }) => boards)) as Outcome['boards'],
    ...(late.length > 0 && { late }),
    ...(reason !== undefined && { reason }),
    ...(results.some(({ excluded }) => excluded) && { excluded: true }),
    ...refusalOf(first.refusal ?? results.find(({ refusal }) => refusal !== undefined)?.refusal),
  };
}

/** The giver's outcome with what became of the owner's points; of a cancel that names no owner, that these stay. */
export function outcomeWithOwner(
  grant: OwnerEntry | null,
  change: ActivityChange,
  outcome: Outcome,
  ownersOutcome: Outcome | null,
): Outcome {
  const userId = ownerOf(change);
  if (userId === null) {
    return change.revoke && grant && outcome.outcome === 'revoked' ? { reason: 'noOwner', ...outcome } : outcome;
  }
  if (!ownersOutcome || (!grant?.points && !ownersOutcome.points)) return outcome;
  const { outcome: name, points, scores } = ownersOutcome;
  const given: OwnerOutcome = { userId, outcome: name, points, scores };
  return { ...outcome, owner: given };
}

/** The limits that failed over an activity: they concern operators alone. */
export function limitFaultsIn(answered: Answered): readonly LimitFault[] {
  return answered.flatMap((result) => {
    const { limit, fault } = result?.refusal ?? {};
    return limit === undefined || fault === undefined ? [] : [{ limit, fault: fault.slice(0, maxFaultLength) }];
  });
}

function isUnrefused(result: TransitionResult): result is TransitionResult & { readonly refusal?: never } {
  return result.refusal === undefined;
}

function isRefused({ outcome }: TransitionResult): boolean {
  return outcome === 'limited' || outcome === 'rejected';
}

function refusalOf(refusal: TransitionResult['refusal']): { readonly refusal?: Refusal } {
  if (!refusal) return {};
  const { limit, allowedAgainAtMs } = refusal;
  const allowedAgainAt = allowedAgainAtMs === null ? null : new Date(allowedAgainAtMs).toISOString();
  return { refusal: { limit, allowedAgainAt } };
}
