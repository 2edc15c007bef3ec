import { invalidArgument as invalid } from '../../errors/errors';
import { checkedMember, checkedPartition, checkedText, isText } from '../../keys/keys';
import { isAdjustmentField } from '../facts/adjustment';
import type { Gift, Transition } from '../model/ledger.types';
import { holdKinds } from './planned';

/** The longest field, in bytes of UTF-8. Where one has more than 64, its ledger leaves Redis' compact encoding. */
export const maxFieldBytes = 96;

/** The longest note of an adjustment, in bytes of UTF-8. */
export const maxNoteBytes = 512;

/**
 * Checks a transition.
 * @throws LeaderboardError `invalidArgument`, naming the malformed value and what is allowed.
 */
export function checkTransition(transition: Transition): void {
  if (typeof transition !== 'object' || transition === null) throw invalid('A transition is an object.');
  const { member, field, kind, occurredAtMs, sequence = 0, grantedAtMs, version, id = field } = transition;
  const { partitions, counterpart, gift, names, namedAs } = transition;
  checkedMember(member);
  if (counterpart !== undefined) checkedMember(counterpart);
  if (gift !== undefined) checkGift(gift);
  if (names !== undefined) checkNames(names);
  if (namedAs !== undefined) checkNames(namedAs);
  if (partitions !== undefined) checkPartitions(partitions);
  checkedText('A field', field, maxFieldBytes);
  if (id !== field) checkedText('An id', id, maxFieldBytes);
  if (kind === 'adjust') checkAdjustment(transition);
  else checkPoints(transition);
  if (!isMoment(occurredAtMs) || (grantedAtMs !== undefined && !isMoment(grantedAtMs))) {
    throw invalid('A moment is a whole number of milliseconds in the years 1970 to 9998.');
  }
  if (!Number.isSafeInteger(sequence) || sequence < 0) {
    throw invalid(`sequence is ${String(sequence)}: use a whole number from 0.`);
  }
  if (kind === 'grant' && grantedAtMs !== undefined) {
    throw invalid('grantedAtMs is for revokes only: a grant is of its own day.');
  }
  if (version !== undefined && (!Number.isSafeInteger(version) || version < 1)) {
    throw invalid(`version is ${String(version)}: use a number that terms.versionOf gave.`);
  }
}

const kinds: readonly string[] = ['grant', 'revoke', 'adjust', ...holdKinds, 'revalue'];

function checkPoints({ kind, field, points, worth }: Transition): void {
  if (!kinds.includes(kind)) {
    throw invalid(`A transition's kind is ${JSON.stringify(kind)}: use one of ${kinds.join(', ')}.`);
  }
  if (kind === 'revalue' && typeof worth !== 'function') throw invalid('A revaluation has a function worth.');
  if (isAdjustmentField(field)) throw invalid(`The field ${JSON.stringify(field)} is that of an adjustment.`);
  if (!Number.isSafeInteger(points)) {
    throw invalid(`A transition is worth ${String(points)} points: use a whole number.`);
  }
}

function checkPartitions(partitions: Readonly<Record<string, string>>): void {
  if (typeof partitions !== 'object' || partitions === null) throw invalid('partitions are an object of strings.');
  Object.values(partitions).forEach(checkedPartition);
}

function checkNames(names: readonly string[]): void {
  if (!Array.isArray(names)) throw invalid('names is no list: give one.');
  names.forEach(checkedMember);
}

function checkGift({ member, points }: Gift): void {
  checkedMember(member);
  if (!Number.isSafeInteger(points)) throw invalid(`A gift is of ${String(points)} points: use a whole number.`);
}

function checkAdjustment({ field, points, note = '' }: Transition): void {
  const fault = !isAdjustmentField(field)
    ? 'has a field made by adjustmentField'
    : !Number.isSafeInteger(points) || points === 0
      ? `is of a whole number of points other than 0, not of ${String(points)}`
      : !isText(note, maxNoteBytes)
        ? `has a note, a well-formed string of 1 to ${maxNoteBytes} bytes in UTF-8`
        : null;
  if (fault !== null) throw invalid(`An adjustment ${fault}.`);
}

/** 9998-12-31: the last year whose periods can be named whole. */
const lastMomentMs = 253_370_764_799_999;

function isMoment(ms: number): boolean {
  return Number.isSafeInteger(ms) && ms >= 0 && ms <= lastMomentMs;
}
