import { maxPartitionBytes } from '@laurel/leaderboard/internals';
import type { Fault } from '../errors/errors';
import type { RuleBook } from '../rules/rule-book';
import {
  type ActivityChange,
  identifierFault,
  maxActivityIdBytes,
  maxSubjectBytes,
  maxUserIdBytes,
} from '../activity/activity';

/** 9998-12-31T23:59:59.999Z: the last moment that the engine takes. */
const lastMomentMs = 253_370_764_799_999;

const none: readonly Fault[] = [];

const maxPartitions = 16;

function partitionsFault(partitions: unknown): string | null {
  if (typeof partitions !== 'object' || partitions === null || Array.isArray(partitions)) return 'must be an object';
  const entries = Object.entries(partitions);
  if (entries.length > maxPartitions) return `must have at most ${maxPartitions} keys`;
  for (const [key, value] of entries) {
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(key)) {
      return 'must have keys of 1 to 32 letters, digits, "-" and "_", a letter first';
    }
    const fault = identifierFault(value, maxPartitionBytes);
    if (fault !== null) return `has a value under ${key} that ${fault}`;
  }
  return null;
}

/** The faults of an activity; usually none. */
export function activityFaults(change: ActivityChange, rules: RuleBook): readonly Fault[] {
  const { userId, subject, action, id, ownerId, occurredAt, sequence, partitions, grantedAt, revoke } = change;
  const user = identifierFault(userId, maxUserIdBytes);
  const what = identifierFault(subject, maxSubjectBytes);
  const entry = rules.find(action);
  const rule = entry ? null : `must be one of ${rules.actions.join(', ')}`;
  // What counted otherwise once is taken back without an id.
  const isNeeded = entry?.rule.once === 'each' && !revoke;
  const name = isGiven(id)
    ? identifierFault(id, maxActivityIdBytes)
    : isNeeded
      ? 'is missing: its rule counts each activity by its id'
      : null;
  const owner = isGiven(ownerId) ? identifierFault(ownerId, maxUserIdBytes) : null;
  const moment = isGiven(occurredAt) ? momentFault(occurredAt) : null;
  const number = isGiven(sequence) ? sequenceFault(sequence) : null;
  const parts = isGiven(partitions) ? partitionsFault(partitions) : null;
  const granted = isGiven(grantedAt) ? (revoke ? momentFault(grantedAt) : 'is for revokes only') : null;
  // Every event is checked: a list is made where there is something to list.
  if ((user ?? what ?? rule ?? name ?? owner ?? moment ?? number ?? parts ?? granted) === null) return none;
  const found = [
    ['userId', user],
    ['subject', what],
    ['action', rule],
    ['id', name],
    ['ownerId', owner],
    ['occurredAt', moment],
    ['sequence', number],
    ['partitions', parts],
    ['grantedAt', granted],
  ] as const;
  return found.flatMap(([path, message]) => (message === null ? [] : [{ path, message }]));
}

function sequenceFault(sequence: number): string | null {
  const isWhole = Number.isSafeInteger(sequence) && sequence >= 0;
  return isWhole ? null : `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

function momentFault(moment: unknown): string | null {
  const ms = moment instanceof Date ? moment.getTime() : NaN;
  return ms >= 0 && ms <= lastMomentMs ? null : 'must be a moment of the years 1970 to 9998';
}
