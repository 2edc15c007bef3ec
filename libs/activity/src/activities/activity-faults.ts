import type { Fault } from '../errors';
import type { RuleBook } from '../rules/rule-book';
import type { ActivityChange } from './activity';
import { identifierFault, maxSubjectBytes, maxUserIdBytes } from './identifier';

/** 9998-12-31T23:59:59.999Z: the last moment that the engine takes. */
const lastMomentMs = 253_370_764_799_999;

/**
 * What is wrong with an activity: nothing, usually.
 * @param at what the paths of its faults begin with, `events.3.` for one of many.
 */
export function activityFaults(change: ActivityChange, rules: RuleBook, at = ''): readonly Fault[] {
  const faults: Fault[] = [];
  const check = (field: keyof ActivityChange, message: string | null) => {
    if (message !== null) faults.push({ path: at + field, message });
  };
  const { action, occurredAt, sequence, ownerId, grantedAt, revoke } = change;
  check('userId', identifierFault(change.userId, maxUserIdBytes));
  check('subject', identifierFault(change.subject, maxSubjectBytes));
  if (rules.find(action) === undefined) check('action', `must be one of ${rules.actions.join(', ')}`);
  if (ownerId !== undefined && ownerId !== null) check('ownerId', identifierFault(ownerId, maxUserIdBytes));
  if (occurredAt !== undefined && occurredAt !== null) check('occurredAt', momentFault(occurredAt));
  if (sequence !== undefined && sequence !== null && !(Number.isSafeInteger(sequence) && sequence >= 0)) {
    check('sequence', `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`);
  }
  if (grantedAt !== undefined && grantedAt !== null) {
    check('grantedAt', revoke ? momentFault(grantedAt) : 'belongs to a revoke');
  }
  return faults;
}

function momentFault(moment: unknown): string | null {
  const ms = moment instanceof Date ? moment.getTime() : NaN;
  return ms >= 0 && ms <= lastMomentMs ? null : 'must be a moment of the years 1970 to 9998';
}
