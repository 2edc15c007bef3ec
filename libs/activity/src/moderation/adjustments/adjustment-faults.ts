import { maxNoteBytes } from '@laurel/leaderboard/internals';
import { identifierFault, maxUserIdBytes } from '../../activity/activity';
import { isDay } from '../../errors/check';
import type { Fault } from '../../errors/errors';
import { maxAdjustmentIdBytes, maxAdjustmentPoints, type Adjustment } from './adjustment';

/** The first day that an adjustment may name. */
const firstDay = '1970-01-01';

const checks: Readonly<Record<keyof Adjustment, (value: unknown) => string | null>> = {
  userId: (value) => identifierFault(value, maxUserIdBytes),
  points: (value) =>
    Number.isSafeInteger(value) && value !== 0 && Math.abs(Number(value)) <= maxAdjustmentPoints
      ? null
      : `must be a whole number from -${maxAdjustmentPoints} to ${maxAdjustmentPoints}, not 0`,
  reason: (value) => identifierFault(value, maxNoteBytes),
  id: (value) => identifierFault(value, maxAdjustmentIdBytes),
  date: (value) =>
    isLeftOut(value) || (isDay(value) && value >= firstDay) ? null : 'must be a day such as 2026-11-20',
  leaderboard: (value) => (isLeftOut(value) || typeof value === 'string' ? null : 'must be a string'),
};

/** The faults of what is given as an adjustment. */
export function adjustmentFaults(given: unknown): readonly Fault[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return [{ path: 'body', message: 'must be an object' }];
  }
  const values = new Map<string, unknown>(Object.entries(given));
  const unknown = [...values.keys()].filter((name) => !Object.hasOwn(checks, name));
  return [
    ...Object.entries(checks).flatMap(([path, faultOf]) => {
      const message = faultOf(values.get(path));
      return message === null ? [] : [{ path, message }];
    }),
    ...unknown.slice(0, 10).map((name) => ({ path: name.slice(0, 40), message: 'is not a known property' })),
  ];
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null;
}
