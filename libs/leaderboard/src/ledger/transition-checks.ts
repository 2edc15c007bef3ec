import { LeaderboardError } from '../errors';
import { checkedMember, checkedPartition, fitsBytes } from '../keys';
import { isAdjustmentField } from './adjustment';
import type { PreparedLimit, Transition } from './ledger.types';

/** The longest field, in bytes of UTF-8: longer values would leave Redis' compact encoding. */
export const maxFieldBytes = 64;

/** The longest note of an adjustment, in bytes of UTF-8. */
export const maxNoteBytes = 512;

/** @throws LeaderboardError `invalidArgument`, naming what is malformed and what is allowed. */
export function checkTransition(transition: Transition): void {
  checkedMember(transition.member);
  const {
    field,
    points,
    kind,
    occurredAtMs,
    sequence = 0,
    grantedAtMs,
    onceInDays = 1,
    partitions,
    version,
  } = transition;
  if (transition.counterpart !== undefined) checkedMember(transition.counterpart);
  transition.prepared?.forEach(checkPrepared);
  if (partitions) Object.values(partitions).forEach(checkedPartition);
  if (field.length === 0 || !fitsBytes(field, maxFieldBytes) || !field.isWellFormed()) {
    throw new LeaderboardError(
      'invalidArgument',
      `A field is a well-formed string of 1 to ${maxFieldBytes} bytes in UTF-8.`,
    );
  }
  if (kind === 'adjust') checkAdjustment(transition);
  else if (isAdjustmentField(field)) {
    throw new LeaderboardError('invalidArgument', `The field ${JSON.stringify(field)} is that of an adjustment.`);
  } else if (!Number.isSafeInteger(points) || points < 0) {
    throw new LeaderboardError('invalidArgument', `A transition is worth ${points} points: use a whole number from 0.`);
  }
  if (!isMoment(occurredAtMs) || (grantedAtMs !== undefined && !isMoment(grantedAtMs))) {
    throw new LeaderboardError(
      'invalidArgument',
      'A moment is a whole number of milliseconds in the years 1970 to 9998.',
    );
  }
  if (!Number.isSafeInteger(sequence) || sequence < 0) {
    throw new LeaderboardError('invalidArgument', `sequence is ${sequence}: use a whole number from 0.`);
  }
  if (kind === 'grant' && grantedAtMs !== undefined) {
    throw new LeaderboardError('invalidArgument', 'grantedAtMs belongs to a revoke: a grant is of its own day.');
  }
  if (version !== undefined && (!Number.isSafeInteger(version) || version < 1)) {
    throw new LeaderboardError('invalidArgument', `version is ${version}: use a number that registerTerms gave.`);
  }
  if (!Number.isInteger(onceInDays) || onceInDays < 1 || onceInDays > 31) {
    throw new LeaderboardError('invalidArgument', `onceInDays is ${onceInDays}: use a whole number from 1 to 31.`);
  }
}

const maxPreparedKeys = 8;
const maxPreparedBytes = 512;

/** @throws LeaderboardError `invalidArgument` where what a limit is prepared with is malformed. */
export function checkPrepared({ keys: own, args }: PreparedLimit): void {
  const areKeys = own.length <= maxPreparedKeys && own.every((key) => typeof key === 'string' && isPrepared(key));
  if (areKeys && args.every((arg) => (typeof arg === 'string' ? isPrepared(arg) : Number.isFinite(arg)))) return;
  throw new LeaderboardError(
    'invalidArgument',
    `A limit is prepared with up to ${maxPreparedKeys} keys, well-formed strings of at most ${maxPreparedBytes} bytes in UTF-8, and with such strings or finite numbers as arguments.`,
  );
}

function isPrepared(text: string): boolean {
  return fitsBytes(text, maxPreparedBytes) && text.isWellFormed();
}

function checkAdjustment({ field, points, partitions, note = '' }: Transition): void {
  const fault = !isAdjustmentField(field)
    ? 'has a field made by adjustmentField'
    : !Number.isSafeInteger(points) || points === 0
      ? `is of a whole number of points other than 0, not of ${points}`
      : note.length === 0 || !fitsBytes(note, maxNoteBytes) || !note.isWellFormed()
        ? `has a note, a well-formed string of 1 to ${maxNoteBytes} bytes in UTF-8`
        : partitions
          ? 'names no partitions'
          : null;
  if (fault !== null) throw new LeaderboardError('invalidArgument', `An adjustment ${fault}.`);
}

/** 9998-12-31: the last year whose periods can be named whole. */
const lastMomentMs = 253_370_764_799_999;

function isMoment(ms: number): boolean {
  return Number.isSafeInteger(ms) && ms >= 0 && ms <= lastMomentMs;
}
