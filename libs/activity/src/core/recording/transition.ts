import type { Transition, TransitionResult } from '@laurel/leaderboard';
import { isCounted, maxPartitionBytes } from '@laurel/leaderboard/internals';
import {
  type ActivityChange,
  identifierFault,
  maxActivityIdBytes,
  maxSubjectBytes,
  maxUserIdBytes,
  type Outcome,
  ownerOf,
  sequenceAt,
  userIn,
} from '../activity/activity';
import type { ActivityRefusal, OwnerResult } from '../activity/outcome';
import type { Fault } from '../errors/errors';
import type { LimitFault } from '../extensions/ports';
import { pointsIn, pointsOf } from '../points/decimals';
import { fieldById, ledgerField, maxPlainOwnerBytes, shortText, subjectText } from '../rules/ledger-field';
import type { RuleBook, RuleEntry } from '../rules/rule-book';
import type { TransitionResults, Transitions } from './recorder';
import { maxFaultLength } from './recording-metrics';

/** 9998-12-31T23:59:59.999Z: the last moment that the engine takes. */
const lastMomentMs = 253_370_764_799_999;

const maxPartitions = 16;

function partitionsFault(partitions: unknown): string | null {
  if (typeof partitions !== 'object' || partitions === null || Array.isArray(partitions)) return 'must be an object';
  const entries = Object.entries(partitions);
  if (entries.length > maxPartitions) return `must have at most ${maxPartitions} keys`;
  for (const [key, value] of entries) {
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(key))
      return 'must have keys of 1 to 32 letters, digits, "-" and "_", a letter first';
    const fault = identifierFault(value, maxPartitionBytes);
    if (fault !== null) return `has a value under ${key} that ${fault}`;
  }
  return null;
}

/** The faults of an activity; usually none. */
export function activityFaults(change: ActivityChange, rules: RuleBook): readonly Fault[] {
  const { userId, subject, action, id, ownerId, occurredAt, sequence, partitions, grantedAt, revoke } = change;
  const entry = rules.find(action);
  // Every event is checked: nearly all have these alone, without a fault.
  const isUsual = entry && entry.rule.once !== 'each' && (id ?? ownerId ?? sequence ?? partitions ?? grantedAt) == null;
  if (isUsual && !identifierFault(userId, maxUserIdBytes) && !identifierFault(subject, maxSubjectBytes))
    if (occurredAt == null || !momentFault(occurredAt)) return [];
  // A grant that once counted otherwise is revoked without an id.
  const isNeeded = entry?.rule.once === 'each' && !revoke;
  const missing = isNeeded ? 'is missing: its rule counts each activity by its id' : null;
  const found: Readonly<Record<string, string | null>> = {
    userId: identifierFault(userId, maxUserIdBytes),
    subject: identifierFault(subject, maxSubjectBytes),
    action: entry ? null : `must be one of ${rules.actions.join(', ')}`,
    id: id != null ? identifierFault(id, maxActivityIdBytes) : missing,
    ownerId: ownerId != null ? identifierFault(ownerId, maxUserIdBytes) : null,
    occurredAt: occurredAt != null ? momentFault(occurredAt) : null,
    sequence: sequence != null ? sequenceFault(sequence) : null,
    partitions: partitions != null ? partitionsFault(partitions) : null,
    grantedAt: grantedAt != null ? (revoke ? momentFault(grantedAt) : 'is for revokes only') : null,
  };
  return Object.entries(found).flatMap(([path, message]) => (message === null ? [] : [{ path, message }]));
}

function sequenceFault(sequence: number): string | null {
  const isWhole = Number.isSafeInteger(sequence) && sequence >= 0;
  return isWhole ? null : `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;
}

function momentFault(moment: unknown): string | null {
  const ms = moment instanceof Date ? moment.getTime() : NaN;
  return ms >= 0 && ms <= lastMomentMs ? null : 'must be a moment of the years 1970 to 9998';
}

/** A transition without what its rule says; it is put together step by step, as most parts are rarely there. */
type Draft = { -readonly [Name in keyof Transition]: Transition[Name] };

/** Why an activity is worth nothing by its rule; null if it counts. A revoked one may have counted before. */
export function reasonToIgnore({ rule }: RuleEntry, change: ActivityChange): string | null {
  if (change.revoke) return rule.revocable ? null : 'notRevocable';
  if (rule.ownSubject === 'ignore' && ownerOf(change) === change.userId) return 'ownSubject';
  return isCounted(rule.where, change.partitions ?? {}) ? null : 'where';
}

/** The transitions of a checked activity, for each ledger: its rule is known, its ids are well-formed. */
export function askFor({ rule, at, namesOwner }: RuleEntry, change: ActivityChange, nowMs: number): Transitions {
  const { userId, subject, id, occurredAt, sequence, grantedAt, partitions, revoke } = change;
  const isStampedHere = occurredAt == null;
  const occurredAtMs = isStampedHere ? nowMs : occurredAt.getTime();
  const isById = rule.once === 'each' && id != null;
  const field = isById ? fieldById(rule.code, subject, id) : ledgerField(rule.code, subject);
  const number = isStampedHere ? sequenceAt(nowMs, sequence) : (sequence ?? 0);
  const named = userIn(subject);
  const ownerId = ownerOf(change);
  const kind = revoke ? 'revoke' : 'grant';
  return at(occurredAtMs).map((worth) => {
    if (!worth) return null;
    const transition: Draft = { ...worth.share, kind, member: userId, field, occurredAtMs, sequence: number };
    if (revoke && grantedAt) transition.grantedAtMs = grantedAt.getTime();
    if (id != null && !isById) transition.id = ledgerField(rule.code, id);
    if (partitions) transition.partitions = partitions;
    if (!revoke && ownerId !== null && ownerId !== userId) {
      if (worth.ownerPoints !== null) transition.gift = { member: ownerId, points: worth.ownerPoints };
      else if (namesOwner) transition.counterpart = ownerId;
    }
    if (named !== null) {
      transition.names = [named];
      transition.namedAs = [isById ? shortText(subject, maxPlainOwnerBytes) : subjectText(subject)];
    }
    return transition;
  });
}

/**
 * One outcome of what the ledgers answered. It is the main ledger's or, where that one is closed or was not asked, that
 * of the first that is open; scores and boards are those of all. Where it was not refused, another's refusal is named.
 * Ledgers have whole units, the outcome has points.
 */
export function outcomeOf(answered: TransitionResults, decimals: number): Outcome {
  const [only] = answered;
  if (answered.length === 1 && only && !only.refusal && !only.gift) {
    const usual = only as Omit<TransitionResult, 'refusal' | 'gift'>;
    // The usual case is handed on as it is.
    return decimals === 0 ? usual : { ...usual, ...inPoints(usual, decimals) };
  }
  const results = answered.filter((result) => result !== null);
  const first = results.reduce((before, result) => (before.outcome === 'closed' ? result : before));
  const scores = Object.assign({}, ...results.map((result) => result.scores)) as Outcome['scores'];
  const late = results.flatMap((result) => result.late ?? []);
  const reason = first.reason ?? results.find(({ outcome }) => /^(limited|rejected)$/.test(outcome))?.reason;
  return {
    outcome: first.outcome,
    ...inPoints({ points: first.points, scores }, decimals),
    boards: Object.assign({}, ...results.map(({ boards }) => boards)) as Outcome['boards'],
    ...(late.length > 0 && { late }),
    ...(reason !== undefined && { reason }),
    ...(results.some(({ excluded }) => excluded) && { excluded: true }),
    ...refusalOf(first.refusal ?? results.find(({ refusal }) => refusal !== undefined)?.refusal),
    ...ownerOutcomeOf(results, decimals),
  };
}

function inPoints({ points, scores }: Pick<Outcome, 'points' | 'scores'>, decimals: number) {
  return { points: pointsOf(points, decimals), scores: pointsIn(scores, decimals) };
}

/** The limits that failed over an activity: they concern operators alone. */
export function limitFaultsIn(answered: TransitionResults): readonly LimitFault[] {
  return answered.flatMap((result) => {
    const { limit, fault } = result?.refusal ?? {};
    return limit === undefined || fault === undefined ? [] : [{ limit, fault: fault.slice(0, maxFaultLength) }];
  });
}

/** The owner's outcome: the main ledger's, or that of the first that gave any; with the scores of all. */
function ownerOutcomeOf(results: readonly TransitionResult[], decimals: number): { readonly owner?: OwnerResult } {
  const gifts = results.flatMap(({ gift }) => gift ?? []);
  const [first] = gifts;
  if (!first) return {};
  const { member: userId, outcome, points } = gifts.find((gift) => gift.points !== 0) ?? first;
  const scores = Object.assign({}, ...gifts.map((gift) => gift.scores)) as OwnerResult['scores'];
  return { owner: { userId, outcome, ...inPoints({ points, scores }, decimals) } };
}

function refusalOf(refusal: TransitionResult['refusal']): { readonly refusal?: ActivityRefusal } {
  if (!refusal) return {};
  const { limit, allowedAgainAtMs } = refusal;
  const allowedAgainAt = allowedAgainAtMs === null ? null : new Date(allowedAgainAtMs).toISOString();
  return { refusal: { limit, allowedAgainAt } };
}
