import { maxPartitionBytes } from '@laurel/leaderboard/internals';
import type { Fault } from '../errors/errors';
import type { RuleBook } from '../rules/rule-book';
import { type ActivityChange, identifierFault, maxSubjectBytes, maxUserIdBytes } from '../activity/activity';

/** 9998-12-31T23:59:59.999Z: the last moment that the engine takes. */
const lastMomentMs = 253_370_764_799_999;

interface Check {
  readonly field: keyof ActivityChange;
  /** What is wrong with the field, or null. */
  readonly faultOf: (change: ActivityChange, rules: RuleBook) => string | null;
}

const checks: readonly Check[] = [
  { field: 'userId', faultOf: ({ userId }) => identifierFault(userId, maxUserIdBytes) },
  { field: 'subject', faultOf: ({ subject }) => identifierFault(subject, maxSubjectBytes) },
  {
    field: 'action',
    faultOf: ({ action }, rules) => (rules.find(action) ? null : `must be one of ${rules.actions.join(', ')}`),
  },
  {
    field: 'ownerId',
    faultOf: ({ ownerId }) => (isGiven(ownerId) ? identifierFault(ownerId, maxUserIdBytes) : null),
  },
  { field: 'occurredAt', faultOf: ({ occurredAt }) => (isGiven(occurredAt) ? momentFault(occurredAt) : null) },
  {
    field: 'sequence',
    faultOf: ({ sequence }) =>
      isGiven(sequence) && !(Number.isSafeInteger(sequence) && sequence >= 0)
        ? `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`
        : null,
  },
  {
    field: 'partitions',
    faultOf: ({ partitions }) => (isGiven(partitions) ? partitionsFault(partitions) : null),
  },
  {
    field: 'grantedAt',
    faultOf: ({ grantedAt, revoke }) => {
      if (!isGiven(grantedAt)) return null;
      return revoke ? momentFault(grantedAt) : 'belongs to a revoke';
    },
  },
];

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

/**
 * What is wrong with an activity: nothing, usually.
 * @param at what the paths of its faults begin with, `events.3.` for one of many.
 */
export function activityFaults(change: ActivityChange, rules: RuleBook, at = ''): readonly Fault[] {
  let faults = none;
  for (const { field, faultOf } of checks) {
    const message = faultOf(change, rules);
    if (message !== null) faults = [...faults, { path: at + field, message }];
  }
  return faults;
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

function momentFault(moment: unknown): string | null {
  const ms = moment instanceof Date ? moment.getTime() : NaN;
  return ms >= 0 && ms <= lastMomentMs ? null : 'must be a moment of the years 1970 to 9998';
}
