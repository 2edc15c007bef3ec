import { identifierFault, maxUserIdBytes } from '../activity/activity';
import { faultsError, type Fault } from '../errors/errors';

/** The longest name of an operator, and the longest note, in bytes of UTF-8. */
export const maxOperatorBytes = 128;
export const maxNoteBytes = 512;

/** A text by its path, undefined where it was left out, and its longest, in bytes of UTF-8. */
export type CheckedText = readonly [path: string, text: string | undefined, maxBytes: number];

/** The faults of texts; those left out have none. */
export function textFaults(...texts: readonly CheckedText[]): Fault[] {
  return texts.flatMap(([path, text, maxBytes]) => {
    const message = text === undefined ? null : identifierFault(text, maxBytes);
    return message === null ? [] : [{ path, message }];
  });
}

/** The fault of a whole number that is out of its range. */
export function wholeFaults(path: string, value: number, min: number, max = Infinity): Fault[] {
  if (Number.isInteger(value) && value >= min && value <= max) return [];
  return [{ path, message: `must be a whole number from ${min}${max === Infinity ? '' : ` to ${max}`}` }];
}

/** @throws ActivityError `invalidQuery` with every fault, where there is one. */
export function assertNoFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw faultsError('invalidQuery', faults);
}

/** @throws ActivityError `invalidQuery` */
export function assertUserId(userId: string): void {
  const message = identifierFault(userId, maxUserIdBytes);
  if (message !== null) throw faultsError('invalidQuery', [{ path: 'userId', message }]);
}
