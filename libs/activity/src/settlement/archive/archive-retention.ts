import type { SettledPeriod } from './standings-archive';

/**
 * How long after its end a period stays in the archive, in milliseconds; null keeps it. Of all leaderboards, or of each
 * that is named: the others have the default.
 */
export type ArchiveRetention = number | null | Readonly<Record<string, number | null>>;

const dayMs = 86_400_000;

/** What is kept where nothing is said: a day's standings for 400 days, so that a year of days can be read. */
const byDefault = { ofDaysMs: 400 * dayMs, ofOthersMs: 1_830 * dayMs };

/** A day on which clocks go back. */
const longestDayMs = 25 * 3_600_000;

/** Where an app says nothing. */
export type Retention = ArchiveRetention | 'default';

/** How long an app keeps a leaderboard, or a partition of one; undefined: it says nothing of it. */
export function namedRetention(retention: Retention, leaderboard: string): number | null | undefined {
  if (retention === 'default') return undefined;
  if (retention === null || typeof retention === 'number') return retention;
  return retention[leaderboard.split('/', 1)[0] as string];
}

/**
 * The moment from which on a period that is archived now is no longer kept; null: there is none. By default it counts
 * from the moment at which the period was settled: history of years ago may be imported.
 */
export function expiryOf(retention: Retention, period: SettledPeriod): number | null {
  const { leaderboard, startMs, endMs, settledAtMs } = period;
  const named = namedRetention(retention, leaderboard);
  if (named !== undefined) return named === null ? null : endMs + named;
  return settledAtMs + (endMs - startMs <= longestDayMs ? byDefault.ofDaysMs : byDefault.ofOthersMs);
}
