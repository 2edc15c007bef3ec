import { LeaderboardError, Period } from '@laurel/leaderboard';
import { faultsError } from '../../core/errors/errors';

/** Days as a request names them, both included. */
export interface DayRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** From the first moment of a day up to the last of another; infinite where it has no bound. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The time from the first to the last of the days, in a zone.
 * @throws ActivityError `invalidQuery` where one is no day, or the last comes before the first.
 */
export function spanOf({ from, to }: DayRange, timezone: string): TimeSpan {
  const fromMs = from === undefined ? -Infinity : dayOf('from', from, timezone).start.getTime();
  const toMs = to === undefined ? Infinity : endOf(dayOf('to', to, timezone));
  if (fromMs < toMs) return { fromMs, toMs };
  throw faultsError('invalidQuery', [{ path: 'from', message: `must not come after ${to}` }]);
}

/** A day by its key. @throws ActivityError `invalidQuery` */
export function dayOf(path: string, key: string, timezone: string): Period {
  try {
    return Period.parse('day', key, timezone);
  } catch (error) {
    if (!(error instanceof LeaderboardError)) throw error;
    throw faultsError('invalidQuery', [{ path, message: 'must be a day such as 2026-11-20' }]);
  }
}

/** The first moment after a period; of one that never ends there is none. */
export function endOf({ end }: Pick<Period, 'end'>): number {
  return end?.getTime() ?? Infinity;
}
